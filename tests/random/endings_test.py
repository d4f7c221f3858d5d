#!/usr/bin/env python3
"""Random programs whose threads nobody joins, against the ways to end that they have.

    endings_test.py HEDDLE [NUMBER [FIRST_SEED]]

Exit from any thread, main's pthread_exit, exit handlers registered early and late, compare-and-swaps
that fail or not. The exit statuses that are reachable are enumerated here, over all states; every
complete strategy must find each of them and no other. A failure names the seed that repeats it.
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

STRATEGIES = [["dfs"], ["sleep-sets"], ["dpor"], ["source-dpor"], ["optimal-dpor"], ["cb-por-1"], ["cb-por-2"],
              ["portfolio"], ["optimal-dpor", "--equivalence=reads-from"]]


def random_script(rng, main):
    parts = []
    for _ in range(rng.randint(1, 2)):
        variable, value = rng.choice("01"), rng.choice("123")
        parts.append(rng.choice([f"s{variable}{value}", f"c{variable}{rng.choice('01')}{value}",
                                 f"c{variable}0{value}", "r" if rng.random() < .4 else f"s{variable}{value}"]))
    if main:
        return ("r" if rng.random() < .6 else "") + "".join(parts) + ("p" if rng.random() < .6 else "")
    return "".join(parts) + ("x" if rng.random() < .3 else "")


def random_program(rng):
    return [random_script(rng, i == 0) for i in range(rng.choice((2, 3)))]


class Enumeration:
    """All statuses with which the process can end. A thread is where it stands in its script, or in the handler."""

    def __init__(self, scripts):
        self.scripts = [list(self.steps(s)) for s in scripts]
        self.handlers_at_first = scripts[0][:1] == "r"
        if self.handlers_at_first:
            self.scripts[0] = self.scripts[0][1:]
        self.statuses, self.seen = set(), set()
        todo = [((0, 0), int(self.handlers_at_first), tuple(("script", 0) for _ in scripts))]
        while todo:
            state = todo.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            for thread in range(len(scripts)):
                todo += self.step(state, thread)

    @staticmethod
    def steps(script):
        length = {"s": 3, "c": 4}
        while script:
            size = length.get(script[0], 1)
            yield script[:size]
            script = script[size:]

    def end(self, status):
        self.statuses.add(status)
        return []

    def step(self, state, thread):
        variables, handlers, threads = state

        def become(place, variables=variables, handlers=handlers):
            return [(variables, handlers, threads[:thread] + (place,) + threads[thread + 1:])]

        kind, at = threads[thread][:2]
        if kind == "gone":
            return []
        if kind == "exit":
            return become(("first", 0), handlers=handlers - 1) if handlers else self.end(0)
        if kind == "first":
            return become(("second", variables[0]))
        if kind == "second":
            return become(("leaves", 1 + at + 4 * variables[1] + 16 * thread))
        if kind == "leaves":
            return self.end(at)
        script = self.scripts[thread]
        if at == len(script) or script[at] == "p":
            if thread == 0 and at == len(script):
                return become(("exit", 0))
            last = all(other == thread or place[0] == "gone" for other, place in enumerate(threads))
            return become(("exit", 0)) if last else become(("gone", 0))
        op = script[at]
        if op == "x":
            return become(("exit", 0))
        if op == "r":
            return become(("script", at + 1), handlers=handlers + 1)
        variable, value = int(op[1]), int(op[-1])
        if op[0] == "c" and variables[variable] != int(op[2]):
            return become(("script", at + 1))
        after = tuple(value if i == variable else v for i, v in enumerate(variables))
        return become(("script", at + 1), variables=after)


def found(heddle, binary, directory, scripts, options):
    command = [heddle, "check", "--json", "--keep-going", "--leaks=off", "--blocked-at-exit=off",
               "--strategy=" + options[0], *options[1:], binary, "--", *scripts]
    done = capped.run(command, cwd=directory, timeout=300)
    if not done.stdout:
        raise AssertionError(f"{' '.join(command)}: {done.stderr}")
    document = json.loads(done.stdout)
    kinds = {finding["kind"] for finding in document["findings"]}
    statuses = {int(finding["message"].split()[-1]) for finding in document["findings"]
                if finding["kind"] == "exit-status"}
    return statuses, kinds - {"exit-status"}, document


def main():
    heddle = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(12)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-endings-") as directory:
        binary = f"{directory}/endings"
        subprocess.run([heddle, "cc", "-g", str(HERE / "endings.c"), "-o", binary], check=True)
        for seed in range(first, first + number):
            scripts = random_program(random.Random(seed))
            expected = Enumeration(scripts).statuses - {0}
            for options in STRATEGIES:
                statuses, others, document = found(heddle, binary, directory, scripts, options)
                if statuses != expected or others or document["end_reason"] != "exhausted":
                    failed += 1
                    print(f"seed {seed}, {' '.join(options)}: {sorted(statuses)} {sorted(others)}, expected "
                          f"{sorted(expected)}, {document['end_reason']}\n  scripts: {scripts}", flush=True)
    print(f"{number} programs, {failed} disagreements")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
