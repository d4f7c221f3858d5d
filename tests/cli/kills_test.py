#!/usr/bin/env python3
"""Kills from outside are no bugs of the program, and lose no finding.

    kills_test.py HEDDLE [NUMBER [SEED]]

A search without end is killed at random moments: the tested process, a process of a checkpoint,
the group of the command line, the command line itself, by different signals. Without a bug in the
program the status is 3, never 1; with one that was found before, it is 1 and the bug is reported.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from under_way import MARK, forget_marks, wait_until_under_way

PROGRAM = MARK + r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* last) {
  for (int i = 0; i < 12; i++) atomic_fetch_add(&x, 1);
  if (last != NULL) {
    mark_execution();
    assert(FINE || x < 24);
  }
  return last;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, &x);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGXCPU, signal.SIGUSR1, signal.SIGSEGV]


def children_of(process):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(stat.parent.name))
    return found


def descendants(process):
    for child in children_of(process):
        yield child
        yield from descendants(child)


def victims(whom, run):
    if whom == "tested":
        return children_of(run.pid)
    return list(descendants(run.pid))[-1:]


def one(heddle, folder, binary, rng):
    whom = rng.choice(["tested", "tested", "worker", "worker", "group", "command line"])
    number = rng.choice(SIGNALS)
    options = rng.choice([[], ["--checkpoints=always"], ["--isolation=fork"], ["--checkpoints=never"]])
    buggy = rng.random() < 0.4
    command = [heddle, "check", binary[buggy], "--strategy=dfs", "--races=off", "--keep-going", *options]
    forget_marks(folder)
    run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    wait_until_under_way(folder, run)  # the first execution shows the bug
    time.sleep(rng.uniform(0, 0.6))  # kills come at any moment
    what = f"{whom} by {number.name}, {' '.join(options)}, {'with' if buggy else 'without'} a bug"
    try:
        if whom == "command line":
            run.kill()
        elif whom == "group":
            os.killpg(run.pid, signal.SIGTERM)
        else:
            for victim in victims(whom, run):
                os.kill(victim, number)
    except ProcessLookupError:
        pass
    # A worker may be gone before it is killed: then nothing happened, and we ask for an end.
    try:
        text, _ = run.communicate(timeout=4)
    except subprocess.TimeoutExpired:
        run.terminate()
        text, _ = run.communicate(timeout=60)
    if whom == "command line":
        return "" if run.returncode == -signal.SIGKILL else f"{what}: status {run.returncode}\n{text}"
    wanted = 1 if buggy else 3
    if run.returncode != wanted or ("assertion" in text) != buggy or "death" in text or "crash" in text or "internal" in text:
        return f"{what}: status {run.returncode}\n{text}"
    return ""


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    failures = 0
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as folder:
        source = Path(folder) / "program.c"
        source.write_text(PROGRAM)
        binary = {}
        for buggy in (False, True):
            binary[buggy] = f"{folder}/program-{int(buggy)}"
            subprocess.run([heddle, "cc", f"-DFINE={int(not buggy)}", "-g", str(source), "-o", binary[buggy]], check=True)
        for _ in range(number):
            if wrong := one(heddle, folder, binary, rng):
                failures += 1
                print(wrong)
    print(f"{number - failures} passed, {failures} failed")
    sys.exit(failures > 0)


main()
