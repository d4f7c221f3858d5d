#!/usr/bin/env python3
"""Compares our verdicts on races with gcc's ThreadSanitizer, on the programs under tests/programs.

    libtsan_test.py HEDDLE [PROGRAM...]

Each program is compiled with the real -fsanitize=thread and run a few times: those named race_* in
every way that their comments know, the others in the first way and in the first that must show a
race. libtsan sees one schedule per run, so its silence means nothing; but whatever it reports, Heddle
must report, with the same line of the program among those of the two accesses. What it calls a race
with the destruction of a lock, we call the misuse of one.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "programs"))
sys.path.insert(0, str(ROOT / "support"))
sys.dont_write_bytecode = True
import built  # noqa: E402
import capped  # noqa: E402
import scale  # noqa: E402
from run import Mismatch, Session, located, read_runs, words  # noqa: E402

SKIPPED = 77
RUNS = {True: 5, False: 2}  # of programs named race_*, and of others
WARNING = re.compile(r"WARNING: ThreadSanitizer: data race.*?"
                     r"SUMMARY: ThreadSanitizer: data race (\S+?):(\d+)", re.DOTALL)
DESTRUCTION = re.compile(r"#0 pthread_\w+_destroy ")
MISUSE = ("misuse", 0)
NO_RANDOMISATION = [shutil.which("setarch") or "setarch", "-R"]
UNSUITABLE = {"library_", "thousand_threads", "static_256mb"}  # too large, or of others


class Failed(Exception):
    pass


def is_race(source):
    return source.name.startswith("race_")


def compile_with(compiler, flags, source, binary):
    done = subprocess.run([*compiler, "-g", "-O1", *flags, str(source), "-o", str(binary)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{source.name} does not compile: {done.stderr[-500:]}")


def libtsan_lines(binary, arguments, runs, cwd):
    """{(file, line)} of its warnings, or None where libtsan cannot run."""
    lines = set()
    for _ in range(runs):
        try:
            done = subprocess.run([*NO_RANDOMISATION, str(binary), *arguments], capture_output=True,
                                  text=True, errors="replace", timeout=3, cwd=cwd,
                                  stdin=subprocess.DEVNULL)
            said = done.stderr
        except subprocess.TimeoutExpired as error:  # a deadlock, perhaps
            said = (error.stderr or b"").decode(errors="replace")
        if "FATAL: ThreadSanitizer" in said:
            return None
        for warning in WARNING.finditer(said):
            destroys = DESTRUCTION.search(warning[0])
            lines.add(MISUSE if destroys else (Path(warning[1]).name, int(warning[2])))
    return lines


def heddle_lines(heddle, run, binary, source, directory, races, executions=500):
    """{(file, line)} of all frames of the accesses that it reports races between."""
    options = [o for o in located(words(run, "RUN"), source) if not o.startswith("--races")]
    limit = [] if any(o.startswith("--max-executions") for o in options) else [
        f"--max-executions={executions}"]
    arguments = words(run, "ARGUMENTS")
    done = capped.run([heddle, "check", "--json", "--keep-going", races, *limit, *options, str(binary),
                       *(["--", *arguments] if arguments else [])], cwd=directory, timeout=120)
    if not done.stdout.strip():
        raise Failed(f"{source.name}: heddle check says nothing but {done.stderr[-500:]}")
    findings = json.loads(done.stdout)["findings"]
    lines = {(Path(frame["file"] or "").name, frame["line"])
             for finding in findings if finding["kind"] == "data-race"
             for evidence in finding["evidence"] for frame in evidence["stack"]}
    return lines | {MISUSE for finding in findings if finding["kind"].endswith("misuse")}


def build_ours(heddle, source, run, directory):
    """As the test of the program itself builds it, with gcc."""
    try:
        return Session(heddle, "gcc", source, directory).build({**run, "DOOR": []})
    except Mismatch as mismatch:
        raise Failed(str(mismatch)) from mismatch


def compare(heddle, source, run):
    """How much libtsan had to say: None (it does not run), 0 or the number of its warnings."""
    flags, cxx = words(run, "FLAGS"), source.suffix == ".cc"
    with tempfile.TemporaryDirectory(prefix="heddle-races-") as directory:
        directory = Path(directory)
        theirs = directory / "theirs"
        compile_with(["g++" if cxx else "gcc", "-fsanitize=thread", "-pthread", "-I",
                      str(ROOT.parent / "include")], flags, source, theirs)
        wanted = libtsan_lines(theirs, words(run, "ARGUMENTS"), RUNS[is_race(source)], directory)
        if not wanted:
            return None if wanted is None else 0
        ours = build_ours(heddle, source, run, directory)
        found = heddle_lines(heddle, run, ours, source, directory, "--races=report")
        if not wanted <= found:  # there are races that only the outcome of another makes possible
            found |= heddle_lines(heddle, run, ours, source, directory, "--races=explore")
        if not wanted <= found:  # or that take more than a short look
            found |= heddle_lines(heddle, run, ours, source, directory, "--races=explore", 50000)
        missing = {line for line in wanted if line not in found}
        if missing and not (found and all(file != source.name for file, _ in missing)):
            raise Failed(f"{source.name} {' '.join(flags)}: libtsan reports races at "
                         f"{sorted(missing)}, Heddle at {sorted(found)}")
        return len(wanted)


def chosen_runs(source):
    runs = [run for run in read_runs(source)
            if "LIBTSAN" not in run and run.get("LIBCXX") != ["only"] and
            words(run, "EXPECT")[:1] != ["unsupported"]]
    if not is_race(source):
        racy = [run for run in runs if "data-race" in words(run, "EXPECT")]
        runs = runs[:1] + racy[:1]
    else:
        runs = [run for run in runs if "--races=off" not in words(run, "RUN")]
    seen = []
    for run in runs:
        key = (words(run, "FLAGS"), words(run, "ARGUMENTS"))
        if key not in seen:
            seen.append(key)
            yield run


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    sources = [s for s in sorted((ROOT / "programs").glob("*.c*")) if s.suffix in (".c", ".cc")
               and not any(s.name.startswith(prefix) for prefix in UNSUITABLE)]
    if sys.argv[2:]:
        sources = [s for s in sources if s.name in sys.argv[2:]]
    elif not scale.everything():  # those about races, and some of the others
        others = [s for s in sources if not is_race(s)]
        sources = [s for s in sources if is_race(s)] + others[::scale.PART]
    jobs = [(source, run) for source in sources for run in chosen_runs(source)]
    complaints, compared, racy = [], 0, 0
    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(compare, heddle, *job) for job in jobs]:
            try:
                said = future.result()
                compared += said is not None
                racy += bool(said)
            except Failed as failed:
                complaints.append(str(failed))
    print("\n".join(complaints + [f"{compared} programs compared, libtsan warns of {racy}"]))
    if compared == 0 and not complaints:
        print("libtsan does not run here; nothing was compared")
        return SKIPPED
    if racy == 0 and not sys.argv[2:]:
        complaints.append("libtsan warns of nothing at all")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
