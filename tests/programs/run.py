#!/usr/bin/env python3
"""Checks one test program against the expectations in its own comments.

    run.py --heddle HEDDLE --compiler gcc|clang|libc++|gcc-libc++ --isolation reset,fork,stand PROGRAM.c

Directives, one per comment line, below the description of the program:

    RUN: options            one run of `heddle check` with these options; what follows belongs to it,
                            what stands before the first RUN belongs to all. Without any: one run.
                            Where no strategy is named it is icb, whose executions can be counted.
                            HERE stands for the directory of the program.
    FLAGS: flags            for the compiler
    ARGUMENTS: words        for the program
    DOOR: preload           compile without Heddle and check the plain binary
    EXPECT: pass | unknown | fail KIND… | unsupported FUNCTION
    EXECUTIONS: N | model   exactly so many executions (model: as tests/programs/oracle.py counts)
    MODEL: thread = steps   one line per thread, see oracle.py; honours the --bound of the run
    DISMISSED: N            of these, exactly so many that broke an assumption
    FINDINGS: N             exactly so many distinct findings
    PREEMPTIONS: N          of the first finding
    CAUSE: kind             of the first finding, confirmed where that can be
    LIBCXX: no | only       whether this run (or, above the first, all) is for libc++
    NOTE: text              that must occur in one of the notes
    LIBTSAN: no             libtsan, too, is asked about races, but not those of this one
    MESSAGE, LOCATION, GUARANTEE: text that must occur in the field of that name
    TRACE: text             that must occur in the trace file of the first finding

Every failing run is replayed from its trace file. --isolation names one or more ways to keep
executions apart (stand means --checkpoints=always): each run is made in each of them, and they must
agree in everything that does not depend on time. Runs of many executions are made in the first of them
only, unless HEDDLE_TESTS=all.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import built  # noqa: E402
import capped  # noqa: E402
import scale  # noqa: E402
from oracle import count_executions  # noqa: E402

DIRECTIVE = re.compile(r"^//\s*([A-Z]+):\s*(.*?)\s*$")
DIRECTIVES = {"RUN", "FLAGS", "ARGUMENTS", "DOOR", "EXPECT", "EXECUTIONS", "MODEL", "FINDINGS", "DISMISSED",
              "PREEMPTIONS", "MESSAGE", "LOCATION", "GUARANTEE", "LIBTSAN",
              "CAUSE", "TRACE", "NOTE", "LIBCXX"}
TIMEOUT = 120
MOST_ELSEWHERE = 2000  # executions of a run that is made in more than one isolation
# gcc has no option for another C++ library.
LIBCXX_FOR_GCC = ["-nostdinc++", "-isystem", "/usr/lib/llvm-14/include/c++/v1", "-nodefaultlibs",
                  "-lc++", "-lc++abi", "-lm", "-lc", "-lgcc_s", "-lgcc"]
ISOLATION = {"reset": ["--isolation=reset"], "fork": ["--isolation=fork"],
             "stand": ["--checkpoints=always"]}
EXIT_STATUS = {"pass": 0, "fail": 1, "unsupported": 2, "unknown": 3}


class Mismatch(Exception):
    pass


def require(condition, complaint):
    if not condition:
        raise Mismatch(complaint)


def read_runs(source):
    """A list of {directive: [values]}, one per run."""
    common, runs = {}, []
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        if not (match := DIRECTIVE.match(line)):
            continue
        key, value = match.groups()
        require(key in DIRECTIVES, f"{source.name}: unknown directive {key}")
        if key == "RUN":
            runs.append({**{k: list(v) for k, v in common.items()}, "RUN": [value]})
        else:
            (runs[-1] if runs else common).setdefault(key, []).append(value)
    return runs or [common]


def located(options, source):
    return [option.replace("HERE", str(source.parent)) for option in options]


def words(run, key):
    return shlex.split(" ".join(run.get(key, [])))


class Session:
    """One program, one compiler, one temporary directory."""

    def __init__(self, heddle, compiler, source, directory):
        self.heddle, self.source, self.directory = heddle, source, directory
        self.is_cxx = source.suffix == ".cc"
        self.library = {"libc++": ["-stdlib=libc++"], "gcc-libc++": LIBCXX_FOR_GCC}.get(compiler, [])
        names = ("gcc", "g++") if compiler.startswith("gcc") else ("clang", "clang++")
        self.plain_compiler = names[self.is_cxx]
        self.environment = {**os.environ, "HEDDLE_CC": names[0], "HEDDLE_CXX": names[1]}
        self.built = {}

    def execute(self, command, cwd=None):
        try:
            return capped.run(command, cwd=cwd or self.directory, env=self.environment,
                              timeout=TIMEOUT)
        except subprocess.TimeoutExpired as error:
            raise Mismatch(f"no end after {TIMEOUT} s: {shlex.join(command)}") from error

    def build(self, run):
        flags = self.library + words(run, "FLAGS")
        preload = run.get("DOOR") == ["preload"]
        key = (preload, *flags)
        if key not in self.built:
            binary = self.directory / f"program{len(self.built)}"
            include = str(self.source.parent.parent.parent / "include")
            compiler = ([self.plain_compiler, "-pthread", "-I", include] if preload else
                        [self.heddle, "c++" if self.is_cxx else "cc"])
            command = [*compiler, "-g", "-O1", str(self.source), *flags, "-o"]
            self.built[key] = built.share(self.heddle, [self.plain_compiler, *command], self.source,
                                          binary, lambda path: self.compile([*command, str(path)]))
        return self.built[key]

    def compile(self, command):
        done = self.execute(command)
        require(done.returncode == 0, f"{shlex.join(command)} failed:\n{done.stderr}")

    def check(self, run, isolation):
        """Runs `heddle check`; returns (process, JSON document or None, directory)."""
        cwd = Path(tempfile.mkdtemp(dir=self.directory))
        arguments = words(run, "ARGUMENTS")
        options = located(words(run, "RUN"), self.source)
        if not any(option.startswith("--strategy") for option in options):
            options.append("--strategy=icb")
        command = [self.heddle, "check", "--json", *ISOLATION[isolation], *options,
                   str(self.build(run)), *(["--", *arguments] if arguments else [])]
        done = self.execute(command, cwd)
        document = None
        if done.stdout.strip():
            try:
                document = json.loads(done.stdout)
            except ValueError as error:
                raise Mismatch(f"not JSON ({error}): {done.stdout[:500]}") from error
        return done, document, cwd


def expected_executions(run):
    value = run["EXECUTIONS"][0]
    if value != "model":
        return int(value)
    bound = re.search(r"--bound=(\d+)", " ".join(run["RUN"]))
    return count_executions(run["MODEL"], int(bound[1]) if bound else None)


def verify_finding(run, kinds, document):
    findings = document["findings"]
    require(findings, "verdict fail without a finding")
    first = findings[0]
    if kinds:
        found = {finding["kind"] for finding in findings}
        require(set(kinds) == found, f"kinds {sorted(found)}, expected {sorted(kinds)}: "
                                     f"{first['message']}")
    if "PREEMPTIONS" in run:
        require(first["preemptions"] == int(run["PREEMPTIONS"][0]),
                f"{first['preemptions']} preemptions, expected {run['PREEMPTIONS'][0]}")
    if "CAUSE" in run:
        cause = first.get("cause", {}).get("kind")
        require(cause == run["CAUSE"][0], f"cause is {cause!r}, expected {run['CAUSE'][0]!r}")
        require(first["cause"]["confirmed"] or cause == "missing lock", "the cause is not confirmed")
    for key in ("MESSAGE", "LOCATION"):
        for text in run.get(key, []):
            field = str(first.get(key.lower()))
            require(text in field, f"{key.lower()} is {field!r}, without {text!r}")


def verify(run, done, document):
    expected, *details = words(run, "EXPECT")
    require(done.returncode == EXIT_STATUS[expected],
            f"exit status {done.returncode}, expected {EXIT_STATUS[expected]} ({expected})")
    if expected == "unsupported":
        for name in details:
            require(name in done.stderr, f"standard error does not name {name}")
        return
    require(document is not None, "no JSON on standard output")
    require(document["verdict"] == expected, f"verdict {document['verdict']}, not {expected}")
    if expected == "fail":
        verify_finding(run, details, document)
    else:
        require(not document["findings"], "a finding without verdict fail")
    if "EXECUTIONS" in run:
        wanted = expected_executions(run)
        require(document["executions"] == wanted,
                f"{document['executions']} executions, expected {wanted}")
    if "DISMISSED" in run:
        require(document["dismissed"] == int(run["DISMISSED"][0]),
                f"{document['dismissed']} dismissed, expected {run['DISMISSED'][0]}")
    if "FINDINGS" in run:
        require(len(document["findings"]) == int(run["FINDINGS"][0]),
                f"{len(document['findings'])} findings, expected {run['FINDINGS'][0]}")
    for text in run.get("NOTE", []):
        require(any(text in note for note in document["notes"]),
                f"no note says {text!r}: {document['notes']}")
    for text in run.get("GUARANTEE", []):
        require(text in document["guarantee"],
                f"guarantee is {document['guarantee']!r}, without {text!r}")


def verify_replay(session, run, document, cwd):
    for text in run.get("TRACE", []):
        trace = (cwd / document["findings"][0]["trace_file"]).read_text()
        require(text in trace, f"the trace file does not say {text!r}")
    for finding in document["findings"]:
        done = session.execute([session.heddle, "replay", finding["trace_file"]], cwd)
        require(done.returncode == 1, f"replay ended with {done.returncode}, not 1:\n"
                                      f"{done.stdout[-2000:]}{done.stderr[-2000:]}")


def essence(document):
    """What must not depend on how executions are kept apart."""
    if document is None:
        return None
    findings = [(f["kind"], f["preemptions"], f["schedule"]) for f in document["findings"]]
    return {key: document[key] for key in ("verdict", "executions", "events", "guarantee")} | {
        "findings": findings}


def run_one(session, run, isolations):
    first = None
    for isolation in isolations:
        done, document, cwd = session.check(run, isolation)
        try:
            verify(run, done, document)
            if document is not None:
                verify_replay(session, run, document, cwd)
            here = essence(document)
            if isolation == isolations[0]:
                first = here
            require(here == first, f"{isolation} says {here}\n{isolations[0]} says {first}")
            if document and document["executions"] > MOST_ELSEWHERE and not scale.everything():
                return
        except Mismatch as mismatch:
            raise Mismatch(f"{mismatch}\n--- command: {shlex.join(done.args)}\n"
                           f"--- stdout:\n{done.stdout[-3000:]}\n"
                           f"--- stderr:\n{done.stderr[-3000:]}")


def isolations(text):
    names = text.split(",")
    if not set(names) <= set(ISOLATION):
        raise argparse.ArgumentTypeError(f"one or more of {', '.join(ISOLATION)}")
    return names


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True, type=os.path.abspath)
    parser.add_argument("--compiler", choices=["gcc", "clang", "libc++", "gcc-libc++"], default="gcc")
    parser.add_argument("--isolation", type=isolations, default=["reset"])
    parser.add_argument("program", type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    failed = 0
    runs = read_runs(options.program)
    unwanted = ["no"] if "libc++" in options.compiler else ["only"]
    runs = [run for run in runs if run.get("LIBCXX") != unwanted]
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as directory:
        session = Session(options.heddle, options.compiler, options.program, Path(directory))
        for number, run in enumerate(runs, 1):
            try:
                run_one(session, run, options.isolation)
            except Mismatch as mismatch:
                failed += 1
                print(f"{options.program.name}, run {number} ({' '.join(run.get('RUN', []))}): "
                      f"{mismatch}")
    print(f"{len(runs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
