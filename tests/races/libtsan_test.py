#!/usr/bin/env python3
"""Compares our verdicts on races with gcc's ThreadSanitizer, on the programs tests/programs/race_*.

    libtsan_test.py HEDDLE

Each program is compiled with the real -fsanitize=thread and run a few times. Whatever libtsan
reports, Heddle must report (it sees one schedule per run, so its silence means nothing), and it must
report nothing where Heddle says that there is no race.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "programs"))
sys.path.insert(0, str(ROOT / "support"))
sys.dont_write_bytecode = True
import capped  # noqa: E402
from run import read_runs, words  # noqa: E402

RUNS = 5
WARNING = "WARNING: ThreadSanitizer: data race"
NO_RANDOMISATION = [shutil.which("setarch") or "setarch", "-R"]


def compile_with(compiler, flags, source, binary):
    subprocess.run([*compiler, "-g", "-O1", *flags, str(source), "-o", str(binary)], check=True,
                   stderr=subprocess.DEVNULL)


def libtsan_warns(binary):
    """True or False, or None where libtsan cannot run."""
    for _ in range(RUNS):
        done = subprocess.run([*NO_RANDOMISATION, binary], capture_output=True, text=True, timeout=60)
        if WARNING in done.stderr:
            return True
        if "FATAL: ThreadSanitizer" in done.stderr:
            return None
    return False


def heddle_warns(heddle, options, binary, directory):
    done = capped.run([heddle, "check", "--json", *options, str(binary)], cwd=directory, timeout=120)
    return any(f["kind"] == "data-race" for f in json.loads(done.stdout)["findings"])


def compare(heddle, source, run, directory):
    """A complaint, or None; and whether libtsan could say anything."""
    flags, cxx = words(run, "FLAGS"), source.suffix == ".cc"
    ours, theirs = directory / "ours", directory / "theirs"
    compile_with([heddle, "c++" if cxx else "cc"], flags, source, ours)
    compile_with(["g++" if cxx else "gcc", "-fsanitize=thread", "-pthread"], flags, source, theirs)
    libtsan = libtsan_warns(str(theirs))
    if libtsan is None:
        return None, False
    heddle_says = heddle_warns(heddle, words(run, "RUN"), ours, directory)
    if libtsan and not heddle_says:
        return f"{source.name} {' '.join(flags)}: libtsan reports a race, Heddle does not", True
    return None, True


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    complaints, compared = [], 0
    for source in sorted((ROOT / "programs").glob("race_*.c*")):
        runs = [run for run in read_runs(source)
                if "LIBTSAN" not in run and "--races=off" not in words(run, "RUN")]
        for run in runs:
            with tempfile.TemporaryDirectory(prefix="heddle-races-") as directory:
                complaint, could = compare(heddle, source, run, Path(directory))
            compared += could
            if complaint:
                complaints.append(complaint)
    print("\n".join(complaints + [f"{compared} programs compared"]))
    if compared == 0:
        print("libtsan does not run here; nothing was compared")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
