#!/usr/bin/env python3
"""What `heddle cc --prune-local` saves with --visible=all.

    prune.py [HEDDLE] [PROGRAM…]

For each program: steps of one execution and executions of optimal-dpor, compiled by gcc and by clang 19
as `heddle cc` does it, and without the accesses that no other thread can notice. Prints a table for
docs/prove.md.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ["bench/programs/indexer.c", "bench/programs/barrier.c", "bench/bugs/queue.c", "bench/bugs/circular_buffer.c",
            "bench/bugs/philosophers.c", "bench/bugs/work_stealing.c", "bench/tables/channel.c",
            "bench/tables/transaction_manager.c"]
WAYS = {"gcc": (["cc"], {}), "clang": (["cc"], {"HEDDLE_CC": "clang-19"}), "pruned": (["cc", "--prune-local"], {})}


def measure(heddle, source, way, top):
    words, environment = WAYS[way]
    built = subprocess.run([heddle, *words, "-O0", "-pthread", str(source), "-o", f"{top}/p"], capture_output=True,
                           text=True, env={**os.environ, **environment})
    if built.returncode != 0:
        sys.exit(f"{source}: {built.stderr}")
    done = subprocess.run([heddle, "check", f"{top}/p", "--visible=all", "--strategy=optimal-dpor", "--keep-going",
                           "--minimise=0", "--max-executions=2000", "--json"], capture_output=True, text=True, cwd=top)
    report = json.loads(done.stdout)
    exhausted = report["end_reason"] == "exhausted"
    pruned = re.search(r"(\d+) of (\d+) accesses", built.stderr)
    return report["events"] / report["executions"], report["executions"], exhausted, pruned


def main():
    heddle = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else str(ROOT / "build/src/cli/heddle")
    sources = sys.argv[2:] or PROGRAMS
    print("| program | accesses left out | steps of an execution, gcc | clang 19 | pruned | executions, gcc | clang 19 | pruned |")
    print("|---|---|---|---|---|---|---|---|")
    for source in sources:
        row = []
        with tempfile.TemporaryDirectory() as top:
            for way in WAYS:
                row.append(measure(heddle, ROOT / source, way, top))
        counts = [f"{'' if done else '>'}{number:,}" for _, number, done, _ in row]
        left_out = row[-1][3]
        print(f"| {Path(source).stem} | {left_out.group(1)} of {left_out.group(2)} | "
              + " | ".join(f"{steps:.0f}" for steps, *_ in row) + " | " + " | ".join(counts) + " |")


if __name__ == "__main__":
    main()
