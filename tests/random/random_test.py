#!/usr/bin/env python3
"""Random small programs, run natively, against the oracle's count of their schedules.

    random_test.py HEDDLE [NUMBER [FIRST_SEED]]

For each program: dfs visits exactly the executions there are; icb at each bound exactly those with
so few preemptions; the verdict is fail exactly when a deadlock is reachable, and the deadlock
reported has the fewest preemptions possible. A failure names the seed that repeats it.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "programs"), str(HERE.parent / "support")]
import capped  # noqa: E402
import scale  # noqa: E402
from oracle import Model  # noqa: E402

MOST_EXECUTIONS = 30_000


def random_thread(rng, length):
    """A straight line that unlocks and waits only with what it holds, as (script, model)."""
    script, model, held = [], [], []
    for _ in range(length):
        op = rng.choice("lllluuuwwsbya")
        if op == "l":
            mutex = rng.choice("01")
            if mutex not in held:
                held.append(mutex)
                script.append("l" + mutex)
                model.append(f"lock m{mutex}")
        elif op == "u" and held:
            mutex = held.pop(rng.randrange(len(held)))
            script.append("u" + mutex)
            model.append(f"unlock m{mutex}")
        elif op == "w" and held:
            mutex = rng.choice(held)
            script.append(f"w0{mutex}")
            model.append(f"wait c m{mutex}")
        elif op in "sb":
            script.append(op + "0")
            model.append("signal c" if op == "s" else "broadcast c")
        elif op in "ya":
            script.append(op)
            model.append("yield" if op == "y" else "step")
    for mutex in held if rng.random() < 0.9 else []:
        script.append("u" + mutex)
        model.append(f"unlock m{mutex}")
    return "".join(script), "; ".join(model)


def one_condition_one_mutex(models):
    """POSIX wants all concurrent waits on a condition to name the same mutex."""
    text = " ".join(models)
    return not ("wait c m0" in text and "wait c m1" in text)


def random_program(rng):
    """Scripts and model of a program with not too many schedules."""
    while True:
        number = rng.choice((1, 2, 2, 2, 3))
        workers = [random_thread(rng, rng.randint(1, 9 - 2 * number)) for _ in range(number)]
        own, own_model = random_thread(rng, rng.randint(0, 3))
        names = range(1, number + 1)
        scripts = ["".join(f"c{i}" for i in names) + own + "".join(f"j{i}" for i in names)]
        scripts += [script for script, _ in workers]
        main = [*(f"create t{i}" for i in names), own_model, *(f"join t{i}" for i in names)]
        models = ["main = " + "; ".join(main)]
        models += [f"t{i} = {workers[i - 1][1]}" for i in names]
        count = Model(models).count()
        if one_condition_one_mutex(models) and 1 < sum(count.values()) <= MOST_EXECUTIONS:
            return scripts, models, count


def check(heddle, binary, directory, scripts, *options):
    command = [heddle, "check", "--json", "--keep-going", *options, binary, "--", *scripts]
    done = capped.run(command, cwd=directory, timeout=300)
    if not done.stdout:
        raise AssertionError(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def compare(document, count, bound):
    within = {key: n for key, n in count.items() if bound is None or key[0] <= bound}
    deadlocks = [preemptions for preemptions, stuck in within if stuck]
    expected = (sum(within.values()), "fail" if deadlocks else "pass")
    got = (document["executions"], document["verdict"])
    if got != expected:
        return f"(executions, verdict) = {got}, expected {expected}"
    fewest = min((f["preemptions"] for f in document["findings"]), default=None)
    if deadlocks and fewest != min(deadlocks):
        return f"a deadlock with {fewest} preemptions, expected {min(deadlocks)}"
    return None


def main():
    heddle = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(60)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-random-") as directory:
        binary = f"{directory}/script"
        subprocess.run([heddle, "cc", "-g", str(HERE / "script.c"), "-o", binary], check=True)
        for seed in range(first, first + number):
            scripts, models, count = random_program(random.Random(seed))
            runs = [(None, ["--strategy=dfs"]), (None, ["--strategy=icb"])]
            runs += [(b, ["--strategy=icb", f"--bound={b}"]) for b in range(3)]
            if seed % 10 == 0:
                runs.append((1, ["--strategy=icb", "--bound=1", "--isolation=fork"]))
            for bound, options in runs:
                complaint = compare(check(heddle, binary, directory, scripts, *options), count,
                                    bound)
                if complaint:
                    failed += 1
                    print(f"seed {seed}, {' '.join(options)}: {complaint}\n  scripts: {scripts}")
                    print("  " + "\n  ".join(models), flush=True)
    print(f"{number} programs, {failed} disagreements")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
