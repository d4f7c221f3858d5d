#!/usr/bin/env python3
"""A program graph takes the same steps as the C program that it was written after.

    parity_test.py HEDDLE GRAPH_EXECUTIONS

For each pair of NAME.c and NAME.graph: under every strategy here the native search and the search
over the graph make the same number of executions with the same number of steps, and find the same.
(Loops that wait are not among them: on a graph it shows sooner that a round changed nothing.)
"""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Graphs do not tell reductions in what state a semaphore, a reader-writer lock or a barrier is, so
# that threads try in vain there: more executions, with the same findings.
TRIES_IN_VAIN = {("synchronisation", strategy) for strategy in ("dpor", "source-dpor", "optimal-dpor")}
STRATEGIES = ("dfs", "sleep-sets", "dpor", "source-dpor", "optimal-dpor")


def native(heddle, source, strategy):
    run = subprocess.run([heddle, "check", source, f"--strategy={strategy}", "--keep-going", "--json"],
                         capture_output=True, text=True)
    result = json.loads(run.stdout)
    return (result["executions"], result["events"],
            sorted(finding["message"] for finding in result["findings"]))


def graph(tool, source, strategy):
    run = subprocess.run([tool, source, strategy], capture_output=True, text=True, check=True)
    counts, *findings = run.stdout.splitlines()
    executions, steps = map(int, counts.split())
    return executions, steps, sorted(findings)


def agree(case, one, other):
    if case in TRIES_IN_VAIN:
        return one[2] == other[2] and one[0] <= other[0]
    return one == other


def main():
    heddle, tool = sys.argv[1:]
    failures = compared = 0
    for source in sorted(HERE.glob("*.c")):
        for strategy in STRATEGIES:
            one = native(heddle, source, strategy)
            other = graph(tool, source.with_suffix(".graph"), strategy)
            compared += 1
            if not agree((source.stem, strategy), one, other):
                failures += 1
                print(f"{source.stem}, {strategy}: natively {one}, as a graph {other}")
    print(f"{compared} searches compared, {failures} differ")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
