#!/usr/bin/env python3
"""Engines over a circuit come to the same verdicts as the explicit search.

    engines_test.py HEDDLE [NUMBER [FIRST_SEED]]

Random programs in C, as in random_test.py: with --keep-going the circuit shows one bug of each kind,
and proves that there is no other kind; the explicit search must have found the same kinds. Then
programs with inputs of 32 bits, which only circuits decide: their bugs must show natively, with the
inputs. A bound on the depth is never a proof, and neither is a program none of whose executions keeps
the assumptions.
"""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import random_test  # noqa: E402
import scale  # noqa: E402

OPTIONS = ["--keep-going", "--confirm=no", "--races=off", "--json", "--time=40"]

REDUCTIONS = ("none", "stubborn", "transactions")
# What --engine=events says to programs that it does not handle.
REFUSED = "no encoding by events"

ALL_BROKEN = ("every execution breaks an assumption",
              "there is no bug, but no execution that keeps the assumptions ends")

# None of its executions keeps the assumption, unless there is a way around it.
BROKEN = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int v = __VERIFIER_nondet_int();
  if (WAY_AROUND && v == 3) return 0;
  __VERIFIER_assume(v < v - v);
  __VERIFIER_assume(v > 5);
  assert(v == 9);
  return 0;
}
"""

WIDE = """#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* run(void* p) {
  int v = __VERIFIER_nondet_int();
  __VERIFIER_assume(v > LEAST);
  pthread_mutex_lock(&m);
  x = v;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int w = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  if (w == 77 && x == 0) x = w;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(x != 1234567);
  return 0;
}
"""


def prove(heddle, directory, source, *words):
    (Path(directory) / "p.c").write_text(source)
    done = subprocess.run([heddle, "prove", "p.c", *words], capture_output=True, text=True, cwd=directory,
                          timeout=300)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"status {done.returncode}\n{done.stderr}")
    return {**json.loads(done.stdout), "status": done.returncode}


def kinds(report):
    return {finding["kind"] for finding in report["findings"]}


def complaint_about_events(events, explicit):
    if "a defect" in events["reason"]:
        return f"events: {events['reason']}"
    if explicit["end_reason"] != "exhausted":
        return ""
    if not kinds(events) <= kinds(explicit):
        return f"events show {kinds(events) - kinds(explicit)}, which the explicit search does not"
    if events["circuit"]["proof"] and kinds(events) != kinds(explicit):
        return f"events do not show {kinds(explicit) - kinds(events)}"
    return ""


def race_complaints(heddle, seed):
    """Data races, which are looked for everywhere else by the native runtime, too."""
    source = random_test.Generator(seed).source()
    words = ("--confirm=no", "--json", "--time=20", "--ignore=exit-status,assertion,deadlock", "--max-states=200000")
    with tempfile.TemporaryDirectory() as top:
        explicit = prove(heddle, top, source, *words, "--engine=explicit")
        events = prove(heddle, top, source, *words, "--engine=events")
    if "a defect" in events["reason"]:
        return f"events: {events['reason']}"
    if {explicit["verdict"], events["verdict"]} == {"pass", "fail"}:
        return f"races: {explicit['verdict']} by states, {events['verdict']} by events"
    return ""


def compare(heddle, seed):
    """None: not compared; else a complaint or ""."""
    source = random_test.Generator(seed).source()
    with tempfile.TemporaryDirectory() as top:
        explicit = prove(heddle, top, source, *OPTIONS, "--engine=explicit")
        circuit = prove(heddle, top, source, *OPTIONS, "--engine=bmc",
                        f"--reduction={REDUCTIONS[seed % len(REDUCTIONS)]}")
        events = prove(heddle, top, source, *OPTIONS, "--engine=events")
    if complaint := complaint_about_events(events, explicit):
        return complaint
    if not kinds(circuit) <= kinds(explicit) and explicit["end_reason"] == "exhausted":
        return f"bmc shows {kinds(circuit) - kinds(explicit)}, which the explicit search does not"
    if "a defect" in circuit["reason"]:
        return circuit["reason"]
    if explicit["end_reason"] != "exhausted" or not circuit["circuit"]["proof"]:
        return None
    if kinds(circuit) != kinds(explicit):
        return f"bmc does not show {kinds(explicit) - kinds(circuit)}"
    return ""


def wide_complaints(heddle):
    with tempfile.TemporaryDirectory() as top:
        found = prove(heddle, top, WIDE, "-DLEAST=1000000", "--json")
        if found["status"] != 1 or found["findings"][0]["confirmation"]["state"] != "shown":
            yield f"a bug with wide inputs: {found['verdict']} {found['reason']} {found['findings']}"
        elif 1234567 not in found["findings"][0]["inputs"]:
            yield f"the inputs are {found['findings'][0]['inputs']}"
        safe = prove(heddle, top, WIDE, "-DLEAST=2000000", "--json")
        if safe["status"] != 0:
            yield f"no bug with wide inputs: {safe['verdict']} {safe['reason']}"
        for engine in ("bmc", "bmc-once", "induction"):
            bounded = prove(heddle, top, WIDE, "-DLEAST=2000000", f"--engine={engine}", "--depth=4", "--json")
            if bounded["status"] != 3 or bounded["circuit"]["depth"] != 4:
                yield f"a bound of {engine}: {bounded['verdict']}, depth {bounded['circuit']['depth']}"


def broken_complaints(heddle):
    with tempfile.TemporaryDirectory() as top:
        for engine in ("bmc", "pdr", "events", "portfolio"):
            vacuous = prove(heddle, top, BROKEN, "-DWAY_AROUND=0", f"--engine={engine}", "--json")
            if vacuous["status"] != 3 or vacuous["reason"] not in ALL_BROKEN:
                yield f"{engine}, all executions break an assumption: {vacuous['verdict']} {vacuous['reason']}"
            safe = prove(heddle, top, BROKEN, "-DWAY_AROUND=1", f"--engine={engine}", "--json")
            if safe["status"] != 0:
                yield f"{engine}, one execution keeps the assumptions: {safe['verdict']} {safe['reason']}"


def reduced_bound_complaints(heddle):
    """A depth of a reduced circuit is not one of all executions."""
    with tempfile.TemporaryDirectory() as top:
        bounded = prove(heddle, top, WIDE, "-DLEAST=2000000", "--engine=bmc", "--depth=4",
                        "--reduction=transactions", "--json")
        if bounded["status"] != 3 or bounded["circuit"]["depth"] is not None:
            yield f"a bound of a reduced circuit: {bounded['verdict']}, {bounded['guarantee']}"


def main():
    heddle = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(12)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    complaints = [*wide_complaints(heddle), *broken_complaints(heddle), *reduced_bound_complaints(heddle)]
    complaints += filter(None, (race_complaints(heddle, seed) for seed in range(first, first + number)))
    compared = 0
    with ThreadPoolExecutor(2) as pool:
        seeds = range(first, first + number)
        for seed, complaint in zip(seeds, pool.map(lambda seed: compare(heddle, seed), seeds)):
            compared += complaint is not None
            if complaint:
                complaints.append(f"seed {seed}: {complaint}")
    print(f"{compared} of {number} compared")
    print("\n".join(complaints))
    if number > 1 and compared < number / 3:
        complaints.append("too few could be decided by both")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
