#!/usr/bin/env python3
"""Random programs over all that threads can share and wait for: every search finds what dfs finds.

    primitives_test.py HEDDLE [NUMBER [FIRST_SEED]]

Mutexes of every kind, semaphores, reader-writer locks, barriers, conditions, once, spin locks, futexes,
pipes and event counters, compare-and-swaps, attempts and waits with deadlines, exits. For each program
and strategy: the same exit statuses and kinds of findings as dfs, which leaves nothing out (or, where that
is too much, as sleep sets); and
optimal-dpor runs as many executions as sleep sets complete, and none in vain (but for descriptors, of
which attempts to read or write count). A failure names the seed that repeats it.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]
import capped  # noqa: E402
import scale  # noqa: E402

# Letter and digit; see primitives.c.
WORDS = {
    "semaphores": "w0 w1 p0 p1 y0 v0 a0 Y0",
    "reader-writer lock": "R0 R0 W0 U0 U0 R1 W1 a0 l0 R2 W2",
    "barrier": "b0 b0 a0 l0 s0 c0",
    "once": "o0 o0 o1 a0 l0 l1 c0 m1 u1",
    "compare-and-swap": "c0 c1 c3 c6 k0 k3 s0 s1 s3 l0 l1 a0",
    "mutexes": "m0 m0 u0 u0 m1 u1 t0 t1 T0 a0",
    "kinds of mutexes": "e0 e1 e2 E0 E1 E2 a0",
    "robust mutex": "g0 g0 g1 g2 a0",
    "conditions": "m0 m0 u0 C0 C0 S0 S0 B0 a0 D0 d0 C1 S1",
    "spin lock": "x0 X0 z0 z0 a0",
    "futexes": "f0 f0 f3 F0 F3 s0 a0 f6",
    "descriptors": "r0 i0 r1 i1 a0 i0 i1",
    "exit handlers": "h0 h0 h1 a0 a0 _0",
    "others": "j1 j2 q0 a0 s0 l0",
}
LONGEST = {2: 5, 3: 3, 4: 2}  # script, by the number of threads

# Some strategy was once wrong about these.
KNOWN = [
    ("11300", ["y0v0", "w0w1Y0", "a0"], []),  # cb-por-2 took the semaphore for 0 at first
    ("20200", ["E1e0e1", "e0E2", "e1E2E0"], []),  # reads-from took a failed unlock for one
    ("002001", ["", "s0s1", "s0k3s1"], []),  # reads-from counted atomic looks only
    ("00200", ["h0_0", "", "h0_0"], []),  # optimal-dpor took registrations for dependent with ends of threads
]

REDUCTIONS = ["sleep-sets", "dpor", "source-dpor", "optimal-dpor"]
STRATEGIES = [["dfs"], ["icb"], *([name] for name in REDUCTIONS), ["cb-por-1"], ["cb-por-2"], ["portfolio"],
              ["optimal-dpor", "--equivalence=reads-from"]]
# With dfs: each preserves deadlocks, final states and failures.
FILTERS = ["seen", "super-step", "seen,super-step", "local-cycles", "seen,local-cycles"]
MOST_CLASSES = 600
MOST_EXECUTIONS = 20_000


def random_program(rng):
    """What to set up, the scripts, and options."""
    number = rng.choice((2, 3, 3, 4))
    groups = rng.sample(list(WORDS), rng.choice((1, 1, 2, 3)))
    words = [word for group in groups for word in WORDS[group].split()]
    scripts = []
    for _ in range(number):
        script = rng.choices(words, k=rng.randint(1, LONGEST[number]))
        if "m0" in script and rng.random() < .7:
            script.append("u0")
        if ("R0" in script or "W0" in script) and rng.random() < .8:
            script.append("U0")
        if rng.random() < .06:
            script.append(rng.choice(("!0", "~0")))
        scripts.append("".join(script))
    if rng.random() < .5:
        scripts[0] = "".join(rng.choices(words, k=rng.randint(0, 1)))
    round_of_barrier = rng.choice((2, number, max(2, number - 1)))
    setup = f"{rng.choice('0112')}{rng.choice('01')}{round_of_barrier}{int('descriptors' in groups)}{rng.choice('01')}"
    setup += rng.choice("01")
    options = []
    if "conditions" in groups and rng.random() < .3:
        options.append("--spurious")
    if rng.random() < .5:
        options.append("--timeouts=last")
    return setup, scripts, options


def uses_descriptors(program):
    return program[0][3] == "1"


class Searches:
    """Of one program: each strategy's report."""

    def __init__(self, heddle, binary, directory, program):
        setup, scripts, options = program
        self.start = [heddle, "check", "--json", "--keep-going", "--leaks=off", "--blocked-at-exit=off", *options]
        self.end = [binary, "--", setup, *scripts]
        self.directory = directory

    def run(self, strategy, most):
        command = [*self.start, f"--max-executions={most}", "--strategy=" + strategy[0], *strategy[1:], *self.end]
        done = capped.run(command, cwd=self.directory, timeout=300)
        if not done.stdout:
            raise AssertionError(f"{' '.join(command)}: {done.stderr}")
        return json.loads(done.stdout)


def ends(report):
    return {finding["message"].split()[-1] if finding["kind"] == "exit-status" else finding["kind"]
            for finding in report["findings"]}


def is_whole(report):
    return report["end_reason"] == "exhausted"


def completed(report):
    return report["executions"] - report["blocked"]


def complaints(searches, counts, filters):
    """None: the program is too large."""
    filtered = [["dfs", "--filter=" + names] for names in filters]
    optimal = searches.run(["optimal-dpor"], MOST_CLASSES)
    naive = searches.run(["dfs"], MOST_EXECUTIONS)
    if optimal["end_reason"] == "execution limit":
        return None
    if naive["end_reason"] == "execution limit":
        naive = searches.run(["sleep-sets"], MOST_EXECUTIONS)
        if naive["end_reason"] == "execution limit":
            return None
    reports = {" ".join(strategy): searches.run(strategy, MOST_EXECUTIONS) for strategy in STRATEGIES + filtered}
    found = []
    for name, report in reports.items():
        if report["end_reason"] == "execution limit" and name != "optimal-dpor":
            continue
        if not is_whole(report) or ends(report) != ends(naive):
            found.append(f"{name}: {sorted(ends(report))}, {report['end_reason']}; {naive['strategy']}: {sorted(ends(naive))}")
    for name in REDUCTIONS:
        if counts and is_whole(reports[name]) and completed(reports[name]) != optimal["executions"]:
            found.append(f"{name}: {completed(reports[name])} executions, optimal-dpor: {optimal['executions']}")
    if optimal["blocked"] or optimal["redundant"]:
        found.append(f"optimal-dpor: {optimal['blocked']} abandoned, {optimal['redundant']} redundant")
    return found


def main():
    heddle = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(30)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = large = 0
    with tempfile.TemporaryDirectory(prefix="heddle-primitives-") as directory:
        binary = f"{directory}/primitives"
        subprocess.run([heddle, "cc", "-g", str(HERE / "primitives.c"), "-o", binary], check=True)
        seeds = range(first, first + number)
        random_ones = [(f"seed {seed}", random_program(random.Random(seed))) for seed in seeds]
        for at, (name, program) in enumerate([("known", program) for program in KNOWN] + random_ones):
            filters = [FILTERS[at % len(FILTERS)]] if at % 2 == 0 else []
            found = complaints(Searches(heddle, binary, directory, program), not uses_descriptors(program), filters)
            large += found is None
            if found:
                failed += 1
                print(f"{name}: {program}\n  " + "\n  ".join(found), flush=True)
    print(f"{number} programs, {large} of them too large, {failed} disagreements")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
