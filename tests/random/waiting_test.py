#!/usr/bin/env python3
"""Random programs whose threads wait in loops of every kind, against an enumeration in which
waiting is not being enabled.

    waiting_test.py HEDDLE [NUMBER [FIRST_SEED]]

For each program and strategy: the exit statuses found are exactly those that are possible, and a
livelock or deadlock is claimed exactly where some execution cannot go on. A failure names the seed
that repeats it.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]
import capped  # noqa: E402
import scale  # noqa: E402

WAYS = "pcyeamvkuntqQlLz"  # how a thread waits: see waiting.c
BLOCKING, READING = "bB", "fF"  # who adds must wake those, or write for these
STRATEGIES = ["portfolio", "optimal-dpor", "dpor", "dfs", "icb", "sleep-sets", "cb-por-2"]
ENUMERATE = ["dfs", "icb", "sleep-sets", "cb-por-2"]  # may have too much to do


def random_scripts(rng):
    """Two or three threads, each a list of (word, variable, number, way)."""
    threads = []
    ways = WAYS + rng.choice((BLOCKING, READING))
    for _ in range(rng.choice((2, 2, 3))):
        script, waits = [], 0
        for _ in range(rng.randint(1, 3)):
            word = rng.choice("sswr")
            if word == "w" and waits == 2:
                word = "s"
            waits += word == "w"
            script.append((word, rng.randrange(2), rng.choice((1, 1, 2)), rng.choice(ways)))
        threads.append(script)
    return threads


def texts_of(threads):
    """Who blocks must be woken."""
    ways = {way for script in threads for word, _, _, way in script if word == "w"}
    add = "S" if ways & set(BLOCKING) else "D" if ways & set(READING) else "s"
    return ["".join((add if word == "s" else word) + f"{x}" + (f"{n}{way}" if word == "w" else "")
                    for word, x, n, way in script) for script in threads]


def outcomes(threads):
    """All exit statuses, and whether an execution may hang."""
    seen, statuses, hangs = set(), set(), False
    todo = [(tuple(0 for _ in threads), (0, 0, 0), tuple(0 for _ in threads))]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, values, notes = state
        if all(at[t] == len(script) for t, script in enumerate(threads)):
            whole = 0
            for note in notes:
                whole = (whole * 17 + note) % 2**32
            statuses.add(1 + whole % 250)
            continue
        stuck = True
        for t, script in enumerate(threads):
            if at[t] == len(script):
                continue
            word, x, n, _ = script[at[t]]
            if word == "w" and values[x] < n:
                continue
            stuck = False
            then, noted = list(values), list(notes)
            if word == "s":
                then[x] += 1
            if word == "r":
                noted[t] = noted[t] * 3 + values[x] + 1
            moved = tuple(a + (i == t) for i, a in enumerate(at))
            todo.append((moved, tuple(then), tuple(noted)))
        hangs = hangs or stuck
    return statuses, hangs


def check(heddle, binary, directory, scripts, strategy):
    limit = "--max-executions=20000" if strategy in ENUMERATE else "--time=60"
    command = [heddle, "check", "--json", "--keep-going", "--volatile=relaxed",
               f"--strategy={strategy}", limit, binary, "--", *scripts]
    done = capped.run(command, cwd=directory, timeout=200)
    if not done.stdout:
        raise AssertionError(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def compare(document, threads, statuses, hangs):
    if document["end_reason"] == "time limit":
        return f"no end after {document['executions']} executions"
    kinds = {f["kind"] for f in document["findings"]}
    found = {int(m[1]) for f in document["findings"]
             if (m := re.search(r"exits with status (\d+)", f["message"]))}
    if document["end_reason"] == "execution limit" and found < statuses:
        return f"hangs, but cannot: {sorted(kinds)}" if "livelock" in kinds and not hangs else None
    if found != statuses:
        return f"missing {sorted(statuses - found)}, impossible {sorted(found - statuses)}"
    claimed = bool(kinds & {"deadlock", "livelock"})
    # A loop that counts in memory comes to no state again: that it hangs cannot be proved.
    counts = any(word == "w" and way == "n" for script in threads for word, _, _, way in script)
    if claimed != hangs and not (hangs and counts):
        return f"hangs: {hangs}, but found {sorted(kinds)}"
    other = kinds - {"deadlock", "livelock", "exit-status"}
    return f"unexpected: {sorted(other)}" if other else None


def main():
    heddle = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(8)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    strategies = sys.argv[4].split(",") if len(sys.argv) > 4 else STRATEGIES
    failed = compared = 0
    with tempfile.TemporaryDirectory(prefix="heddle-waiting-") as directory:
        binary = f"{directory}/waiting"
        subprocess.run([heddle, "cc", "-g", str(HERE / "waiting.c"), "-o", binary], check=True)
        for seed in range(first, first + number):
            rng = random.Random(seed)
            threads = random_scripts(rng)
            scripts = texts_of(threads)
            statuses, hangs = outcomes(threads)
            for strategy in strategies:
                complaint = compare(check(heddle, binary, directory, scripts, strategy), threads,
                                    statuses, hangs)
                compared += 1
                if complaint:
                    failed += 1
                    print(f"seed {seed}, {strategy}: {complaint}\n  scripts: {scripts}", flush=True)
    print(f"{number} programs, {compared} searches, {failed} disagreements")
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
