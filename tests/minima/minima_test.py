#!/usr/bin/env python3
"""The traces that reports show are nearly as short as any can be.

    minima_test.py --heddle HEDDLE [--all] [--strategy NAME]

Each buggy program of tests/programs is checked as a user would, and the context switches of the
schedule in the report are compared with the fewest that show the same bug, as minima.tsv knows
them. That table comes from bench/minima, which finds them by a search that owes nothing to the
minimiser: all executions without a context switch, then all with one, and so on.
"""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from buggy import Finder, buggy_runs  # noqa: E402

TABLE = Path(__file__).resolve().parent / "minima.tsv"
SEARCH = ("--strategy=switches", "--keep-going")
MEDIAN_EXCESS = 3  # the claim
WORST_EXCESS = 3   # of any program here


def known_minima():
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if line[:1] not in "#"]
    return {(name, finding): int(least) for name, finding, least in rows}


def excesses(finder, runs, options):
    """(program, finding, context switches, the fewest) for each finding of each run."""
    minima = known_minima()
    for name, source, run in runs:
        found, _ = finder.findings(source, run, *options)
        if any((name, finding) not in minima for finding in found):
            print(f"{name} is not as {TABLE.name} knows it; searched now. Run bench/minima --write")
            searched, _ = finder.findings(source, run, *SEARCH, "--max-executions=20000")
            minima.update({(name, finding): least for finding, least in searched.items()})
        for finding, switches in found.items():
            yield name, finding, switches, minima.get((name, finding))


def first_of_each_program(runs):
    seen = set()
    for name, source, run in runs:
        if source not in seen:
            seen.add(source)
            yield name, source, run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--all", action="store_true", help="all runs, not one of each program")
    parser.add_argument("--strategy", help="instead of the default")
    options = parser.parse_args()
    runs = buggy_runs() if options.all else first_of_each_program(buggy_runs())
    words = ["--minimise=86400"]  # the minimum is a claim about what it finds, not how soon
    words += [f"--strategy={options.strategy}"] if options.strategy else []
    failed, all_excesses = 0, []
    with tempfile.TemporaryDirectory(prefix="heddle-minima-") as directory:
        for name, finding, switches, least in excesses(Finder(options.heddle, directory), runs, words):
            if least is None:
                print(f"{name}: the fewest switches for {finding} are not known")
                continue
            if switches < least:
                failed += 1
                print(f"{name}: {finding} shows with {switches} switches, so {least} is no minimum")
            if switches > least + WORST_EXCESS:
                failed += 1
                print(f"{name}: {finding} has {switches} context switches, {least} would do")
            all_excesses.append(switches - least)
    median = statistics.median(all_excesses)
    failed += median > MEDIAN_EXCESS or len(all_excesses) < 60
    print(f"{len(all_excesses)} findings; context switches more than the minimum: median {median}, "
          f"mean {statistics.mean(all_excesses):.2f}, worst {max(all_excesses)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
