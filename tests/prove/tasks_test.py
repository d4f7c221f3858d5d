#!/usr/bin/env python3
"""Verification tasks as SV-COMP has them: no verdict of `heddle prove` is wrong.

    tasks_test.py HEDDLE [NAME…]

Each task is written as a C file and a .yml that names it, its property and the expected verdict, and
is run from the .yml. All of these are small enough to be decided.
"""
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from task_families import tasks

YML = """format_version: '2.0'

input_files: '{name}.c'

properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: {verdict}

options:
  language: C
  data_model: LP64
"""
VERDICTS = {"pass": True, "fail": False}


def read_task(file):
    text = file.read_text()
    source = re.search(r"^input_files: '(.*)'$", text, re.MULTILINE).group(1)
    expected = re.search(r"expected_verdict: (true|false)$", text, re.MULTILINE).group(1)
    return file.parent / source, expected == "true"


def run(heddle, file):
    """A complaint, or ""."""
    source, expected = read_task(file)
    done = subprocess.run([heddle, "prove", source.name, "--reach-only", "--confirm=no", "--json", "--time=60"],
                          capture_output=True, text=True, cwd=file.parent, timeout=300)
    if done.returncode not in (0, 1, 3):
        return f"{file.stem}: status {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    if VERDICTS.get(report["verdict"]) is not expected:
        return f"{file.stem}: {report['verdict']} ({report['reason']}), expected {expected}"
    return ""


def main():
    heddle, names = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as top:
        files = []
        for name, text, safe in tasks():
            if names and name not in names:
                continue
            (Path(top) / f"{name}.c").write_text(text)
            files.append(Path(top) / f"{name}.yml")
            files[-1].write_text(YML.format(name=name, verdict="true" if safe else "false"))
        with ThreadPoolExecutor(2) as pool:
            complaints = [c for c in pool.map(lambda f: run(heddle, f), files) if c]
    print(f"{len(files)} tasks")
    print("\n".join(complaints))
    if not names and len(files) < 100:
        complaints.append("too few tasks")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
