#!/usr/bin/env python3
"""Each function of the C library that tests/programs/library_calls.c calls meets another thread at the same byte: every
one of these races must be found, by the function that made the call.

    library_test.py HEDDLE
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "programs" / "library_calls.c"


def main():
    heddle = os.path.abspath(sys.argv[1])
    names = re.findall(r"\bX\((\w+), (?!statement)", PROGRAM.read_text())
    failures = 0
    for compiler in ("gcc", "clang"):
        done = subprocess.run([heddle, "check", str(PROGRAM), "-D_GNU_SOURCE", "-lm", f"--cc={compiler}", "--json",
                               "--keep-going", "--strategy=icb", "--bound=0", "--trace-dir=none", "--leaks=off"],
                              capture_output=True, text=True, errors="replace", timeout=300, stdin=subprocess.DEVNULL)
        if done.returncode != 1:
            sys.exit(f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        races = [finding for finding in json.loads(done.stdout)["findings"] if finding["kind"] == "data-race"]
        found = set(re.findall(r'"case_(\w+)"', json.dumps(races)))
        missing = [name for name in names if name not in found]
        print(f"{compiler}: {len(names) - len(missing)} of {len(names)} functions found", *missing)
        failures += len(missing)
    sys.exit(failures > 0)


main()
