#!/usr/bin/env python3
"""Files that Heddle reads, damaged at random: a sentence and status 2, or a result; never a crash or a hang.

    damaged_files_test.py [NUMBER [SEED]]

NUMBER is how many damaged copies of each file are tried.
"""
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from command import HEDDLE

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import scale  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
int hits;
int* block;
__attribute__((used)) int fits(void) { return hits < 3; }
__attribute__((used)) int holds(void) { return 1; }
void* work(void* p) {
  pthread_mutex_lock(&y);
  pthread_mutex_lock(&x);
  *block = 1;
  pthread_mutex_unlock(&x);
  pthread_mutex_unlock(&y);
  hits++;
  return p;
}
int main(void) {
  pthread_t t;
  block = malloc(sizeof *block);
  pthread_create(&t, NULL, work, NULL);
  FIRST;
  hits++;
  free(block);
  pthread_join(t, NULL);
}
"""
DEADLOCK = ("pthread_mutex_lock(&x); pthread_mutex_lock(&y); "
            "pthread_mutex_unlock(&y); pthread_mutex_unlock(&x)")
PROJECT = """options = ["--max-executions=3"]
suppressions = "known.supp"

[[target]]
name = "one"
program = "./race"
options = ["--strategy=icb", "--bound=2"]
arguments = ["3"]

[[target]]
name = "two"
program = "./deadlock"
"""
SUPPRESSIONS = """# what we know of
race:work
race:program.c:14
deadlock:main
"""
PROPERTIES = """# what holds
fits   at most two
holds
"""
LIMITS = ("--max-executions=3", "--time=5", "--minimise=0", "--quiet")


def damaged(text, chance):
    """One of the ways in which files get damaged: by disks, transfers, editors and hands."""
    lines = text.split(b"\n")
    at = chance.randrange(len(text))
    line = chance.randrange(len(lines))
    way = chance.randrange(8)
    if way == 0:
        return text[:at]
    if way == 1:
        return text[:at] + bytes([text[at] ^ 1 << chance.randrange(8)]) + text[at + 1:]
    if way == 2:
        return text[:at] + bytes([chance.randrange(256)]) + text[at:]
    if way == 3:
        return text[:at] + text[at + chance.randrange(1, 20):]
    if way == 4:
        return b"\n".join(lines[:line] + lines[line + 1:])
    if way == 5:
        return b"\n".join(lines[:line] + [chance.choice(lines)] + lines[line:])
    if way == 6:  # a number that is far too large, or negative
        numbers = list(re.finditer(rb"[0-9]+", text))
        if not numbers:
            return text[:at]
        found = chance.choice(numbers)
        other = chance.choice((b"99999999999999999999999", b"4294967296", b"-1", b"18446744073709551615", b""))
        return text[:found.start()] + other + text[found.end():]
    words = lines[line].split(b" ")
    chance.shuffle(words)
    return b"\n".join(lines[:line] + [b" ".join(words)] + lines[line + 1:])


class Reader:
    """A file, and the command that reads it."""

    def __init__(self, name, contents, *command):
        self.name, self.contents, self.command = name, contents, command


def complaint(done):
    """What is wrong with the end of a command; "" if nothing is."""
    if done.returncode not in (0, 1, 2, 3):
        return f"ended with {done.returncode}"
    errors = done.stderr.decode(errors="replace")
    if "internal error" in errors or "terminate called" in errors or "CHECK" in errors:
        return "a defect of Heddle shows"
    if done.returncode == 2 and not re.search(r"^heddle[-a-z]*: .*\w", errors, re.MULTILINE):
        return "no sentence"
    return ""


def try_out(directory, reader, number, seed):
    statuses = {}
    path = directory / reader.name
    for i in range(number):
        chance = random.Random(f"{reader.name} {seed + i}")
        contents = reader.contents
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            contents = damaged(contents, chance) or b"?"
        path.write_bytes(contents)
        try:
            done = subprocess.run(reader.command, cwd=directory, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            wrong, done = "did not end", None
        else:
            wrong = complaint(done)
            statuses[done.returncode] = statuses.get(done.returncode, 0) + 1
        if wrong:
            kept = Path(tempfile.gettempdir()) / f"damaged-{seed + i}-{reader.name.lstrip('.')}"
            kept.write_bytes(contents)
            raise SystemExit(f"{' '.join(reader.command)}: {wrong}; seed {seed + i}, kept as {kept}\n"
                             + ("" if done is None else done.stderr.decode(errors="replace")))
    path.write_bytes(reader.contents)
    return statuses


def run(directory, *words):
    subprocess.run(words, cwd=directory, capture_output=True, timeout=100)


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400 if scale.everything() else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory(prefix="heddle-damaged-") as name:
        directory = Path(name)
        (directory / "program.c").write_text(PROGRAM)
        for program, first in (("race", ""), ("deadlock", DEADLOCK)):
            run(directory, HEDDLE, "cc", "-g", f"-DFIRST={first}", "program.c", "-o", program)
            run(directory, HEDDLE, "check", f"./{program}", "--keep-going", *LIMITS)
        traces = [directory / f"{program}.1.heddle-trace" for program in ("race", "deadlock")]
        readers = []
        for trace in traces:
            text = trace.read_bytes()
            readers += [Reader("damaged.heddle-trace", text, HEDDLE, "explain", "damaged.heddle-trace"),
                        Reader("again.heddle-trace", text, HEDDLE, "replay", "--trust", "--program=./race",
                               "again.heddle-trace")]
        (directory / "known.supp").write_text(SUPPRESSIONS)
        readers += [
            Reader("known.supp", SUPPRESSIONS.encode(), HEDDLE, "check", "./race", "--suppressions=known.supp",
                   *LIMITS),
            Reader("race.properties", PROPERTIES.encode(), HEDDLE, "check", "./race",
                   "--properties=race.properties", *LIMITS),
            Reader(".heddle.toml", PROJECT.encode(), HEDDLE, "check", "--quiet")]
        if (Path(HEDDLE).parent.parent / "prove" / "heddle-prove").exists():
            graph = (ROOT / "examples/graph/bluetooth.graph").read_bytes()
            readers.append(Reader("program.graph", graph, HEDDLE, "prove", "program.graph", "--time=5"))
        for reader in readers:
            began = time.monotonic()
            statuses = try_out(directory, reader, number, seed)
            print(f"{reader.name}: {number} damaged, statuses {dict(sorted(statuses.items()))}, "
                  f"{time.monotonic() - began:.1f} s", flush=True)
            if not statuses.get(2):
                raise SystemExit(f"{reader.name}: none of them was refused")
            if reader.name == ".heddle.toml":
                (directory / reader.name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
