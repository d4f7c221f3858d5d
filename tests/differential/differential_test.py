#!/usr/bin/env python3
"""Random native programs against an independent enumeration of their executions.

    differential_test.py HEDDLE gcc|clang [c|c++|all|locks|timed|rest|deaths] [NUMBER [FIRST_SEED]]

For each program dfs and icb with each bound must run exactly the executions there are, with exactly
as many steps; each outcome (exit status, deadlock, failed assertion, misuse, death) must occur
exactly as often, and be shown with the fewest preemptions possible. Some programs are run with both
isolations, which must agree in everything but time; some findings are replayed. Random and pct
repeat themselves with the same seed, and do not with another. A failure names the seed of the
program: NUMBER 1 and that seed repeat it.

    c, c++   synchronisation only is visible, in C and in C++
    locks    C, with reader-writer locks, spin locks, semaphores and barriers as well; the partial-
             order reductions must find the same outcomes, and the optimal one must run each class
             once, as sleep sets alone do
    timed    as locks, with deadlines, which pass at any time or only where nothing else is possible;
             there is no enumeration of these, but dfs and the reductions must agree
    rest     in the same way: pthread_once, sockets and polls, raw futexes, choices and assumptions
    all      C, --visible=all: plain accesses are steps as well
    deaths   C, some executions kill the process, end it without Heddle's exit handlers, smash its stack
"""
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import capped  # noqa: E402
import scale  # noqa: E402
from generator import random_program, source, with_deadlines, with_the_rest  # noqa: E402
from model import Enumeration  # noqa: E402

MOST_EXECUTIONS = {"c": 4000, "c++": 4000, "all": 1500, "locks": 3000, "timed": 300, "rest": 300, "deaths": 1500}
PROGRAMS = {"c": 60, "c++": 24, "all": 24, "locks": 16, "timed": 16, "rest": 16, "deaths": 8}
FIRST_SEED = {"gcc": 1, "clang": 1001}
MOST_DEATHS = 12
MOST_BY_DFS = 60_000
MOST_IN_CHILDREN = 300
DEAD = ("death", "crash", "abort", "stack-overflow")
VARYING = ("seconds", "cpu_seconds", "startup_seconds", "deaths", "notes")


# The model knows schedules; the programs race, scribble and leak as they like.
PLAIN = ("--races=off", "--memory=off", "--leaks=off", "--blocked-at-exit=off")


class Tool:
    def __init__(self, heddle, compiler, directory):
        self.heddle, self.directory = heddle, directory
        self.environment = {**os.environ, "HEDDLE_CC": compiler,
                            "HEDDLE_CXX": {"gcc": "g++", "clang": "clang++"}[compiler]}

    def run(self, *command):
        return capped.run([self.heddle, *command], cwd=self.directory, env=self.environment,
                          timeout=300)

    def build(self, programs, cxx):
        suffix = ".cc" if cxx else ".c"
        text = Path(self.directory) / f"programs{suffix}"
        text.write_text(source(programs, cxx))
        done = self.run("c++" if cxx else "cc", "-O1", "-g", "-pthread", str(text), "-o",
                        f"{self.directory}/programs")
        if done.returncode:
            raise SystemExit(f"the programs do not compile:\n{done.stderr}")

    def check(self, name, *options):
        done = self.run("check", "--json", "--keep-going", *PLAIN, *options,
                        f"{self.directory}/programs", "--", name)
        if not done.stdout:
            raise SystemExit(f"{' '.join(done.args)}: status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def replay(self, finding):
        done = self.run("replay", "--json", finding["trace_file"])
        if not done.stdout:
            return f"status {done.returncode}: {done.stderr}"
        again = json.loads(done.stdout)["findings"]
        keys = ("kind", "message", "schedule", "preemptions", "steps")
        if len(again) != 1 or any(again[0][key] != finding[key] for key in keys):
            return f"{finding}\nbecomes {again}"
        return None


def outcome_of(finding):
    if finding["kind"] in DEAD:
        return "dead"
    if finding["kind"] == "exit-status":
        return "exit-status " + finding["message"].rsplit(" ", 1)[1]
    return finding["kind"]


def expected(count, steps, bound):
    within = {key: n for key, n in count.items() if bound is None or key[0] <= bound}
    outcomes, fewest = Counter(), {}
    for (preemptions, outcome), number in within.items():
        if outcome != "finished":
            outcomes[outcome] += number
            fewest[outcome] = min(preemptions, fewest.get(outcome, preemptions))
    return {"executions": sum(within.values()), "events": sum(steps[key] for key in within),
            "outcomes": dict(sorted(outcomes.items())), "fewest": dict(sorted(fewest.items()))}


def got(document):
    outcomes, fewest = Counter(), {}
    for finding in document["findings"]:
        outcome = outcome_of(finding)
        outcomes[outcome] += finding["occurrences"]
        fewest[outcome] = min(finding["preemptions"], fewest.get(outcome, finding["preemptions"]))
    return {"executions": document["executions"], "events": document["events"],
            "outcomes": dict(sorted(outcomes.items())), "fewest": dict(sorted(fewest.items()))}


def essence(document, deadly):
    """Everything that must not depend on time, nor on how executions are kept apart.

    A cause is confirmed by running the program again. Where that kills the process, and not only a
    child of it, there is none.
    """
    left_out = ("trace_file", "cause") if deadly else ("trace_file",)
    document = {key: value for key, value in document.items() if key not in VARYING}
    document["findings"] = [{key: value for key, value in finding.items() if key not in left_out}
                            for finding in document["findings"]]
    return document


class Comparison:
    def __init__(self, tool, mode):
        self.tool, self.mode, self.complaints = tool, mode, []
        self.replays = 0
        self.varied = set()  # the samplers that gave another answer with another seed

    def require_equal(self, what, first, second):
        if first != second:
            self.complaints.append(f"{what}:\n    {first}\n    {second}")

    def timed_program(self, seed, name):
        for when in ([], ["--timeouts=last"]) if self.mode == "timed" else ([],):
            document = self.tool.check(name, "--strategy=dfs", f"--max-executions={MOST_BY_DFS}",
                                       *when)
            if document["end_reason"] == "execution limit":
                print(f"seed {seed}: too many executions to compare with")
                continue
            for finding in document["findings"]:
                self.replays += 1
                if complaint := self.tool.replay(finding):
                    self.complaints.append(f"seed {seed}, replay: {complaint}")
            self.reductions(seed, name, {outcome_of(f) for f in document["findings"]}, when)
        if seed % 8 == 0:
            self.samplers(seed, name, [])

    def program(self, seed, name, program):
        if self.mode in ("timed", "rest"):
            return self.timed_program(seed, name)
        visible = "all" if self.mode == "all" else "sync"
        count, steps = Enumeration(program, self.mode == "all").outcomes()
        total = sum(count.values())
        for bound in (None, 0, 1, 2):
            options = [f"--visible={visible}"]
            options += ["--strategy=dfs"] if bound is None else ["--strategy=icb",
                                                                 f"--bound={bound}"]
            what = " ".join([f"seed {seed}", *options])
            document = self.tool.check(name, *options)
            self.require_equal(f"{what}: expected and got", expected(count, steps, bound),
                               got(document))
            if bound == seed % 3 and self.mode != "deaths":
                for finding in document["findings"]:
                    self.replays += 1
                    if complaint := self.tool.replay(finding):
                        self.complaints.append(f"{what}, replay: {complaint}")
            if bound == 1 and seed % 4 == 0 or bound is None and total <= MOST_IN_CHILDREN:
                self.both_isolations(name, what, options, document)
        if self.mode == "locks":
            self.reductions(seed, name, set(expected(count, steps, None)["outcomes"]))
        if seed % 8 == 0:
            self.samplers(seed, name, [f"--visible={visible}"])

    def reductions(self, seed, name, outcomes, when=()):
        for options in (["--strategy=optimal-dpor"], ["--strategy=source-dpor"],
                        ["--strategy=dfs", "--filter=seen"], ["--strategy=cb-por-2"]):
            document = self.tool.check(name, *options, *when)
            if options == ["--strategy=optimal-dpor"] and self.mode in ("locks", "timed"):
                self.each_class_once(seed, name, document, when)
            what = f"seed {seed} {' '.join(options)}"
            self.require_equal(f"{what}: outcomes", sorted(outcomes),
                               sorted({outcome_of(f) for f in document["findings"]}))
            if "did not repeat itself" in document["guarantee"]:
                self.complaints.append(f"{what}: {document['guarantee']}")

    def each_class_once(self, seed, name, optimal, when):
        """Sleep sets alone come to the end of each class exactly once. Where a thread fails, what the
        others do afterwards counts for the one and not for the other."""
        if any(f["kind"] not in ("deadlock", "exit-status") for f in optimal["findings"]):
            return
        every = self.tool.check(name, "--strategy=sleep-sets", f"--max-executions={MOST_BY_DFS}",
                                *when)
        if every["end_reason"] == "execution limit":
            return
        self.require_equal(f"seed {seed} {' '.join(when)}: classes by sleep sets, run and abandoned by "
                           "optimal-dpor", (every["executions"] - every["blocked"], 0),
                           (optimal["executions"] - optimal["blocked"], optimal["blocked"]))

    def both_isolations(self, name, what, options, document):
        forked = self.tool.check(name, *options, "--isolation=fork")
        deadly = self.mode == "deaths"
        self.require_equal(f"{what}: reset and fork", essence(document, deadly),
                           essence(forked, deadly))

    def samplers(self, seed, name, options):
        for strategy in ("random", "pct"):
            command = [*options, f"--strategy={strategy}", "--max-executions=40"]
            once, again, other = (
                essence(self.tool.check(name, *command, f"--seed={chosen}"), deadly=False)
                for chosen in (seed, seed, seed + 1))
            self.require_equal(f"seed {seed}, {strategy}: twice", once, again)
            if once != other:
                self.varied.add(strategy)


def main():
    heddle, compiler, mode = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    number = int(sys.argv[4]) if len(sys.argv) > 4 else scale.programs(PROGRAMS[mode])
    first = int(sys.argv[5]) if len(sys.argv) > 5 else FIRST_SEED[compiler]
    programs = {f"p{seed}": random_program(seed, MOST_EXECUTIONS[mode], mode == "c++",
                                           mode == "deaths", MOST_DEATHS, mode in ("locks", "timed", "rest"))
                for seed in range(first, first + number)}
    if mode == "timed":
        programs = {name: with_deadlines(program) for name, program in programs.items()}
    if mode == "rest":
        programs = {name: with_the_rest(program) for name, program in programs.items()}
    failed, replays, varied = 0, 0, set()
    with tempfile.TemporaryDirectory(prefix="heddle-differential-") as directory:
        tool = Tool(heddle, compiler, directory)
        tool.build(programs, mode == "c++")
        for seed, (name, program) in enumerate(programs.items(), first):
            comparison = Comparison(tool, mode)
            comparison.program(seed, name, program)
            replays += comparison.replays
            varied |= comparison.varied
            if comparison.complaints:
                failed += 1
                print("\n".join(comparison.complaints))
                print(f"  program: {program}", flush=True)
    print(f"seeds {first} to {first + number - 1}: {number} programs, {failed} disagree, "
          f"{replays} replays")
    if number >= 20 and varied != {"random", "pct"}:
        print(f"another seed never made a difference, except to {sorted(varied)}")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
