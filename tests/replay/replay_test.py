#!/usr/bin/env python3
"""A thousand random schedules: each, written to a trace and run again, takes the same steps.

    replay_test.py HEDDLE [NUMBER]

The program always fails in the end, so that every execution leaves a trace. `heddle replay`
compares each step with the recorded one; here the whole schedule and message are compared too.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import capped  # noqa: E402
import scale  # noqa: E402

SOURCE = Path(__file__).resolve().parent / "always_fails.cc"


def run(directory, expected, *command):
    done = capped.run(command, cwd=directory, timeout=60)
    if done.returncode != expected:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n"
                         f"{done.stdout}{done.stderr}")
    return done.stdout


def essence(text):
    finding = json.loads(text)["findings"][0]
    return finding["kind"], finding["message"], finding["schedule"], finding["preemptions"]


def main():
    heddle = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1000 if scale.everything() else 120
    schedules = set()
    with tempfile.TemporaryDirectory(prefix="heddle-replay-") as directory:
        binary = f"{directory}/always_fails"
        run(directory, 0, heddle, "c++", "-g", "-std=c++17", str(SOURCE), "-o", binary)
        for seed in range(number):
            visible = ("sync", "all")[seed % 2]
            text = run(directory, 1, heddle, "check", "--json", "--strategy=random",
                       f"--seed={seed}", f"--visible={visible}", "--max-executions=1", binary)
            trace = json.loads(text)["findings"][0]["trace_file"]
            again = run(directory, 1, heddle, "replay", "--json", trace)
            if essence(text) != essence(again):
                raise SystemExit(f"seed {seed}, visible {visible}:\n{text}\nreplayed:\n{again}")
            schedules.add(essence(text)[2] if isinstance(essence(text)[2], str)
                          else json.dumps(essence(text)[2]))
            os.unlink(os.path.join(directory, trace))
    print(f"{number} schedules replayed, {len(schedules)} of them different")
    return 0 if len(schedules) > number // 2 else 1


if __name__ == "__main__":
    sys.exit(main())
