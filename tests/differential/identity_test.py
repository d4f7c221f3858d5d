#!/usr/bin/env python3
"""Where things lie does not depend on the schedule.

    identity_test.py HEDDLE gcc|clang

Every execution of identity.c writes the addresses of its threads' stacks, thread-local variables,
handles and heap blocks: the line must be the same in each of them, whatever the strategy, although
threads free each other's blocks at moments the schedule decides. (Forked children have lines of
their own: there the program's heap begins elsewhere.)
"""
import json
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import capped  # noqa: E402

RUNS = (("--strategy=dfs", "--max-executions=30000"), ("--strategy=icb", "--bound=2"),
        ("--strategy=random", "--max-executions=2000"), ("--strategy=pct", "--max-executions=2000"),
        ("--strategy=icb", "--bound=2", "--isolation=fork", "--max-executions=150"))


def lines_of(heddle, binary, directory, options):
    addresses = Path(directory) / "addresses"
    addresses.unlink(missing_ok=True)
    done = capped.run([heddle, "check", "--json", *options, binary, "--", str(addresses)],
                      cwd=directory, timeout=300)
    document = json.loads(done.stdout)
    if document["findings"]:
        raise SystemExit(f"{options}: {document['findings']}")
    lines = addresses.read_text().splitlines()
    if len(lines) != document["executions"] or len(lines) < 50:
        raise SystemExit(f"{options}: {len(lines)} lines of {document['executions']} executions")
    return lines


def main():
    heddle, compiler, different = os.path.abspath(sys.argv[1]), sys.argv[2], {}
    os.environ["HEDDLE_CC"] = compiler
    with tempfile.TemporaryDirectory(prefix="heddle-identity-") as directory:
        binary = f"{directory}/identity"
        done = capped.run([heddle, "cc", "-g", "-O1", str(HERE / "identity.c"), "-o", binary])
        if done.returncode:
            raise SystemExit(done.stderr)
        for options in RUNS:
            lines = lines_of(heddle, binary, directory, options)
            different.setdefault("--isolation=fork" in options, set()).update(lines)
            print(f"{' '.join(options)}: {len(lines)} executions, {len(set(lines))} different")
    several = [line for lines in different.values() if len(lines) > 1 for line in sorted(lines)]
    print("\n".join(several[:4]), end="")
    return 1 if several else 0


if __name__ == "__main__":
    sys.exit(main())
