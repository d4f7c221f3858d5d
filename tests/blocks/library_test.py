#!/usr/bin/env python3
"""Each function that tests/programs/library_calls.c and thread_calls.c call meets another thread at the same byte:
every one of these races must be found, by the function that made the call.

    library_test.py HEDDLE
"""
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"


def main():
    heddle = os.path.abspath(sys.argv[1])
    failures = 0
    for program, compiler in itertools.product(("library_calls.c", "thread_calls.c"), ("gcc", "clang")):
        names = re.findall(r"\bX\((\w+), (?!statement)", (PROGRAMS / program).read_text())
        done = subprocess.run([heddle, "check", str(PROGRAMS / program), "-D_GNU_SOURCE", "-lm", f"--cc={compiler}", "--json",
                               "--keep-going", "--strategy=icb", "--bound=0", "--trace-dir=none", "--leaks=off"],
                              capture_output=True, text=True, errors="replace", timeout=300, stdin=subprocess.DEVNULL)
        if done.returncode != 1:
            sys.exit(f"status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        races = [finding for finding in json.loads(done.stdout)["findings"] if finding["kind"] == "data-race"]
        found = set(re.findall(r'"case_(\w+)"', json.dumps(races)))
        missing = [name for name in names if name not in found]
        print(f"{program}, {compiler}: {len(names) - len(missing)} of {len(names)} functions found", *missing)
        failures += len(missing)
    sys.exit(failures > 0)


main()
