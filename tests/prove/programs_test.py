#!/usr/bin/env python3
"""The programs of tests/programs: what `heddle prove` decides, it decides as `heddle check` does.

    programs_test.py HEDDLE [NAME…]

A program with its flags and arguments has a bug if one of its runs (tests/programs/run.py) expects
one of a kind that prove looks for. Then prove must not pass it; otherwise it must not find one. It
may always say that it does not know, with a reason. NATIVE_ONLY and PROVE_ONLY name the differences
that are meant, each with its reason.
"""
import json
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
sys.path.insert(0, str(PROGRAMS))
import run as native  # noqa: E402

LIMITS = ["--time=2", "--memory=256", "--confirm=no"]
# Kinds that only the native runtime looks for.
UNSEEN = {"leak", "livelock", "lost-wakeup", "nondeterminism", "death", "invariant", "mismatched-free",
          "stack-overflow", "exception"}
# Bugs that prove cannot see, by program.
ORDERS = "atomic operations are sequentially consistent for prove"
NATIVE_ONLY = {
    "api_atomic.c": "a section that is not open is ended: misuse of heddle.h is seen natively only",
    "race_annotated.c": "annotations of races are no part of the graph",
    "race_fences.c": ORDERS,
    "race_message.c": ORDERS,
    "race_release_sequence.cc": ORDERS,
    "spurious.c": "there are no spurious wake-ups",
}
# Bugs that the runs of the program do not ask for, by program.
PROVE_ONLY = {
    "race_double_checked.cc": "a write of the same value, which gcc leaves out",
    "visible_searches.c": "run without races; natively a search of a string reads all of it in one step",
    "volatile_flag.c": "run with --volatile=relaxed",
}
# Translation units of C++ that take seconds to compile and are not accepted: exceptions, streams,
# locks with deadlines, what libstdc++ keeps in its shared library.
NOT_ACCEPTED = {"cpp_reference.cc", "cpp_reference_more.cc", "cpp_futures.cc", "cpp_jthread.cc", "cpp_waits.cc",
                "cpp_semaphore.cc", "cpp_latch.cc", "cpp_barrier.cc", "cpp_timed_mutex.cc", "cpp_stream_caches.cc",
                "iostreams.cc", "library_boost_lockfree.cc", "library_concurrentqueue.cc",
                "library_readerwriterqueue.cc"}
LEAST_DECIDED = 200  # runs that prove decides: a front end that knows less is noticed


def configurations():
    """(program, flags, arguments) → kinds of bugs that some run expects, and other expectations."""
    found = {}
    for source in sorted([*PROGRAMS.glob("*.c"), *PROGRAMS.glob("*.cc")]):
        if source.name in NOT_ACCEPTED:
            continue
        for run in native.read_runs(source):
            if run.get("LIBCXX") == ["only"]:
                continue
            key = (source, tuple(native.words(run, "FLAGS")), tuple(native.words(run, "ARGUMENTS")))
            kinds = found.setdefault(key, set())
            expected = " ".join(run.get("EXPECT", ["pass"])).split()
            kinds.update(expected[1:] if expected[0] == "fail" else expected[:1])
    return found


def prove(heddle, source, flags, arguments):
    command = [heddle, "prove", str(source), *flags, "--json", *LIMITS]
    if arguments:
        command += ["--", *arguments]
    with tempfile.TemporaryDirectory() as top:
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=top, timeout=120)
        except subprocess.TimeoutExpired:
            return None, f"no end after 120 s: {shlex.join(command)}"
    if done.returncode == 2:
        return None, "" if "error:" in done.stderr else done.stderr
    if done.returncode not in (0, 1, 3):
        return None, f"status {done.returncode}: {shlex.join(command)}\n{done.stderr}"
    report = json.loads(done.stdout)
    if report["verdict"] == "unknown" and not report["reason"]:
        return report, "unknown without a reason"
    return report, ""


def judge(source, kinds, report):
    """A complaint, or ""."""
    bugs = kinds - {"pass", "unknown", "unsupported"}
    looked_for = {k for k in bugs if k not in UNSEEN and not k.startswith("uncaught")}
    if report["verdict"] == "pass" and looked_for and source.name not in NATIVE_ONLY:
        return f"pass, but natively there is {', '.join(sorted(looked_for))}"
    if report["verdict"] == "fail" and kinds == {"pass"} and source.name not in PROVE_ONLY:
        finding = report["findings"][0]
        return f"fails ({finding['message']} at {finding['location']}), but not natively"
    return ""


def main():
    heddle, names = sys.argv[1], sys.argv[2:]
    work = [(key, kinds) for key, kinds in configurations().items()
            if not names or key[0].name in names]
    decided, complaints = 0, []
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda w: prove(heddle, *w[0]), work)
        for (key, kinds), (report, trouble) in zip(work, answers):
            label = f"{key[0].name} {' '.join(key[1])}".strip()
            if not trouble and report is not None:
                decided += report["verdict"] != "unknown"
                trouble = judge(key[0], kinds, report)
            if trouble:
                complaints.append(f"{label}: {trouble}")
            if names and report:
                print(label, report["verdict"], report["reason"])
    print(f"{decided} of {len(work)} decided")
    if not names and decided < LEAST_DECIDED:
        complaints.append(f"only {decided} decided")
    print("\n".join(complaints))
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
