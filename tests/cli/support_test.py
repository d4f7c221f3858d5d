#!/usr/bin/env python3
"""The table of supported functions against the library's exports and the manual.

    support_test.py HEDDLE LIBRARY MANUAL HEADER
"""
import re
import subprocess
import sys

# What compiled code calls (operator new and delete among it), libheddle's own functions, and
# annotations for race detectors.
OTHERS = re.compile(r"__tsan_|__wrap_|heddle_|Annotate|_Z[nd][wal]")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def main():
    heddle, library, manual, header = sys.argv[1:]
    text = output(heddle, "support")
    table = [word for line in text.splitlines() if line.startswith("    ")
             for word in line.split() if line.strip() != "runs as it is"]
    spoken = {name for name in table if name.startswith("heddle_")}
    table = [name for name in table if name not in spoken]
    exported = {line.split()[-1].split("@")[0] for line in
                output("nm", "-D", "--defined-only", library).splitlines()}
    exported = {name for name in exported if not OTHERS.match(name)}
    failures = []
    if len(table) != len(set(table)):
        failures.append(f"listed twice: {sorted(n for n in set(table) if table.count(n) > 1)}")
    if set(table) != exported:
        failures.append(f"listed only: {sorted(set(table) - exported)}; "
                        f"exported only: {sorted(exported - set(table))}")
    declared = set(re.findall(r"\b(heddle_[a-z_]*[a-z])\(", open(header).read()))
    if spoken != declared:
        failures.append(f"not both in the table and in the header: {sorted(spoken ^ declared)}")
    if output(heddle, "support", "--mdoc") not in open(manual).read():
        failures.append('the manual does not contain what "heddle support --mdoc" prints')
    if subprocess.run([heddle, "support", "x"], capture_output=True).returncode != 2:
        failures.append("an argument is not refused")
    print("\n".join(failures) or "the table is right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
