"""The buggy programs of tests/programs, and what `heddle check` finds in them."""
import json
import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "programs"))
sys.path.insert(0, str(TESTS / "support"))
from run import Session, located, read_runs, words  # noqa: E402

# What decides how the schedules are searched, not which there are.
SEARCH = re.compile(r"--(strategy|bound|max-executions|time|keep-going|filter|order|seed|pct-depth"
                    r"|exact-states|equivalence|minimise)\b")


def kept_options(run):
    return [word for word in words(run, "RUN") if not SEARCH.match(word)]


def buggy_runs():
    """(name, source, run): the first run of each program that must fail, one per set of options."""
    for source in sorted(TESTS.glob("programs/*.c")) + sorted(TESTS.glob("programs/*.cc")):
        seen = set()
        for run in read_runs(source):
            if words(run, "EXPECT")[:1] != ["fail"]:
                continue
            options = kept_options(run)
            key = tuple(options + ["|"] + words(run, "FLAGS") + ["|"] + words(run, "ARGUMENTS"))
            if key in seen:
                continue
            seen.add(key)
            yield " ".join([source.name, *options, *words(run, "FLAGS"),
                            *words(run, "ARGUMENTS")]), source, run


class NoReport(RuntimeError):
    """The check was refused before it found anything."""


class Finder:
    def __init__(self, heddle, directory):
        self.heddle, self.directory = str(Path(heddle).resolve()), Path(directory)
        self.sessions = {}

    def findings(self, source, run, *options):
        """The report of one check: {"kind location": context switches}, and all of it."""
        if source not in self.sessions:
            directory = self.directory / source.name
            directory.mkdir()
            self.sessions = {source: Session(self.heddle, "gcc", source, directory)}
        session = self.sessions[source]
        arguments = words(run, "ARGUMENTS")
        command = [self.heddle, "check", "--json", *located(kept_options(run), source), *options,
                   str(session.build(run)), *(["--", *arguments] if arguments else [])]
        done = session.execute(command)
        if not done.stdout.strip():
            raise NoReport(f"no report from {command}: {done.stderr}")
        report = json.loads(done.stdout)
        found = {}
        for finding in report["findings"]:
            if "did not end within" in finding["message"]:
                continue  # the limit of steps ended it, so there is no least one
            switches = context_switches(finding["schedule"])
            key = identity(finding, source)
            found[key] = min(switches, found.get(key, switches))
        return found, report


def identity(finding, source):
    """What tells the findings of one program apart, on every schedule: the kind and the line."""
    match = re.fullmatch(r"(.*?):(\d+)(:\d+)?", finding.get("location") or "")
    if not match:
        return finding["kind"]
    if Path(match[1]).name != source.name:
        return f"{finding['kind']} in {Path(match[1]).name}"
    return f"{finding['kind']} at `{source.read_text().splitlines()[int(match[2]) - 1].strip()}`"


def context_switches(schedule):
    """Of a schedule as text: `0*3 1 2/1 0` has three."""
    threads = [re.match(r"\d+", word)[0] for word in schedule.split()]
    return sum(a != b for a, b in zip(threads, threads[1:]))
