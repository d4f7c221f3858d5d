"""One function per target. Each yields the rows it measured.

Times are CPU times, the best of a few runs: the machine is never ours alone. Where the cost of a
single event, access or execution is asked for, start-up is measured and subtracted.
"""

import time
from dataclasses import dataclass

from tool import plain_seconds


@dataclass
class Row:
    what: str
    value: float
    unit: str
    target: float = None
    at_least: bool = False  # otherwise: at most

    @property
    def passed(self):
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


@dataclass
class Effort:
    """How long to measure; --quick divides by `divisor` and does not repeat."""
    divisor: int = 1
    repeat: int = 5

    def count(self, full):
        return max(full // self.divisor, 1)

    def best(self, measure):
        return min(measure() for _ in range(self.repeat))


DFS = "--strategy=dfs"
ONE_EXECUTION = (DFS, "--max-executions=1", "--max-steps=100000000")


def rate(tool, effort, binary, executions, *options):
    """Executions per second of CPU time, start-up included."""
    strategy = () if any(o.startswith("--strategy") for o in options) else (DFS,)

    def seconds_each():
        report = tool.check(binary, *strategy, f"--max-executions={executions}", *options)
        return report["cpu_seconds"] / report["executions"]
    return 1 / effort.best(seconds_each)


def each(effort, seconds, count):
    """What one of `count` things takes, start-up left out."""
    beyond_the_first = effort.best(lambda: seconds(count)) - effort.best(lambda: seconds(1))
    return beyond_the_first / max(count - 1, 1)


def each_beside_plain(tool, effort, source, count):
    """The same for a program under heddle and for its plain binary, which run in turn, so that a
    quiet moment of the machine serves both."""
    instrumented, plain = tool.instrumented(source), tool.plain(source)

    def least(argument):
        pairs = [(tool.check(instrumented, *ONE_EXECUTION, arguments=[argument])["cpu_seconds"],
                  plain_seconds(plain, argument)) for _ in range(4 * effort.repeat)]
        return map(min, zip(*pairs))
    return [(total - start) / count for total, start in zip(least(count), least(1))]


def executions(tool, effort):
    for source in ("barrier.c", "indexer.c"):
        binary = tool.plain(source)
        in_place = rate(tool, effort, binary, effort.count(1_000_000))
        forked = rate(tool, effort, binary, effort.count(5_000), "--isolation=fork")
        name = source.removesuffix(".c")
        yield Row(f"executions per second, {name}", in_place, "/s", 200_000, at_least=True)
        yield Row(f"times faster than a fork, {name}", in_place / forked, "×", 30, at_least=True)


# Beside each program the faster of Nidhugg 0.4 --optimal and GenMC 0.11 --sc, measured on a machine
# of this kind, in executions per second of CPU time; and how many times that is wanted.
REDUCED = (("fib(6)", "fib.c", ("-DN=6",), 6_154, 10),
           ("lastzero(13)", "lastzero.c", ("-DN=13",), 8_601, 10),
           ("philosophers 4 x 3", "philosophers_ordered.c", (), 6_546, 10),
           ("indexer(15)", "indexer_classes.c", ("-DTHREADS=15",), 413, 10),
           ("readers, 4 writers and 5 readers", "readers.c", ("-DREADERS=5", "-DWRITERS=4"),
            79_000, 2))


def reductions(tool, effort):
    """With race detection and memory checks on, as they are by default."""
    for name, source, flags, peer, times in REDUCED:
        binary = tool.instrumented(f"../../tests/programs/{source}", *flags)
        speed = rate(tool, effort, binary, effort.count(100_000), "--strategy=optimal-dpor")
        yield Row(f"executions per second, optimal-dpor, {name}", speed, "/s", times * peer,
                  at_least=True)


def visible_events(tool, effort):
    for name, flags in (("a thread runs on", ()), ("switch at every event", ("-DYIELD",))):
        binary = tool.plain("events.c", *flags)

        def seconds(events):
            return tool.check(binary, *ONE_EXECUTION, arguments=[events])["cpu_seconds"]
        cost = each(effort, seconds, effort.count(1_000_000))
        yield Row(f"visible event, {name}", cost * 1e9, "ns", 150)


def plain_accesses(tool, effort):
    ours, plain = each_beside_plain(tool, effort, "accesses.c", effort.count(100_000_000))
    yield Row("access that is no scheduling point", (ours - plain) * 1e9, "ns", 10)


def access_checks(tool, effort):
    """What an instrumented access costs with one kind of check, relative to none. The three run in
    turn, so that a quiet moment of the machine serves all."""
    checks = (("--races=off", "--memory=off"), ("--memory=off",), ("--races=off",))
    for name, flags in (("write to a global", ()), ("read of a global", ("-DREADS",)),
                        ("write to a heap block", ("-DHEAP",)),
                        ("read of a heap block", ("-DHEAP", "-DREADS")),
                        ("write to a large block", ("-DLARGE",)),
                        ("write to the own stack", ("-DSTACK",))):
        binary, count = tool.instrumented("accesses.c", *flags), effort.count(50_000_000)

        def least(accesses):
            runs = [[tool.check(binary, *ONE_EXECUTION, *options, arguments=[accesses])
                     ["cpu_seconds"] for options in checks] for _ in range(2 * effort.repeat)]
            return map(min, zip(*runs))
        none, races, memory = (max(total - start, 1e-9)
                               for total, start in zip(least(count), least(1)))
        yield Row(f"{name} with race detection, relative to none", races / none, "×", 2)
        yield Row(f"{name} with memory checks, relative to none", memory / none, "×", 1.5)
    # What the detector has to look at in full; no program consists of these alone.
    binary, count = tool.instrumented("accesses.c", "-DNEW_EPOCHS"), effort.count(10_000_000)
    seconds = lambda accesses: tool.check(binary, *ONE_EXECUTION, "--memory=off",
                                          arguments=[accesses])["cpu_seconds"]
    yield Row("first write to a global since a release, race detection",
              each(effort, seconds, count) * 1e9, "ns")


def native_speed(tool, effort):
    ours, plain = each_beside_plain(tool, effort, "additions.c", effort.count(100_000_000))
    yield Row("loop of additions, relative to plain binary", ours / max(plain, 1e-15), "×", 1.05)


def memory(tool, effort):
    binary = tool.plain("counter.cc")
    few, many = effort.count(1_000_000), effort.count(10_000_000)
    for strategy in ("dfs", "random", "pct"):
        short, long = (tool.peak_memory(binary, n, f"--strategy={strategy}") for n in (few, many))
        # A few pages of the kernel's own counting error are no growth.
        yield Row(f"memory growth from {few:,} to {many:,} executions, {strategy}", long - short,
                  "kB", 256)
        yield Row(f"peak memory, {strategy}", long, "kB")


def reset(tool, effort):
    def execution(*flags):
        binary = tool.plain("counter.cc", *flags)

        def seconds(executions):
            return tool.check(binary, DFS, f"--max-executions={executions}")["cpu_seconds"]
        return each(effort, seconds, effort.count(200_000))
    small = execution()
    yield Row("one execution, counter", small * 1e6, "µs")
    for name, flag in (("256 MB static", "-DSTATIC_MB=256"),
                       ("100 MB heap written before main", "-DBEFORE_MAIN_MB=100"),
                       ("100 MB heap allocated in main", "-DIN_MAIN_MB=100")):
        yield Row(f"the same with {name}", execution(flag) / small, "×", 2)


def checkpoints(tool, effort):
    """Executions that begin in the middle, where the program sets up a lot before its threads."""
    binary = tool.instrumented("../../tests/programs/slow_start.c")

    def speed(how):
        return rate(tool, effort, binary, effort.count(400), "--strategy=icb", f"--checkpoints={how}")
    yield Row("executions after 2 MB were filled in, with checkpoints relative to without",
              speed("auto") / speed("never"), "×", 2, at_least=True)


def crowd(tool, effort):
    binary = tool.plain("crowd.c")

    def seconds(executions):
        return tool.check(binary, DFS, f"--max-executions={executions}")["cpu_seconds"]
    cost = each(effort, seconds, effort.count(100))
    yield Row("one execution of 1,000 threads", cost * 1e3, "ms")


def context_bounds(tool, effort):
    """What cb-por takes beside the bounded reduction, and with many threads."""
    philosophers = tool.plain("philosophers.c")
    rounds = "3" if effort.divisor == 1 else "1"

    def seconds(binary, strategy, bound, *arguments, limit=()):
        options = (f"--strategy={strategy}", f"--bound={bound}", *limit)
        return effort.best(
            lambda: tool.check(binary, *options, arguments=arguments)["cpu_seconds"])
    reference = seconds(philosophers, "dpor", 2, rounds)
    for strategy in ("cb-por-1", "cb-por-2"):
        yield Row(f"{strategy} beside dpor, 4 philosophers, bound 2",
                  seconds(philosophers, strategy, 2, rounds) / reference, "times", 2)
    few, many = ("12", "100") if effort.divisor == 1 else ("4", "4")
    strangers = tool.plain("strangers.c")
    yield Row("cb-por-2, 12 threads with nothing in common, bound 0",
              seconds(strangers, "cb-por-2", 0, few), "s", 1)
    yield Row("cb-por-1, first execution of 100 threads with nothing in common",
              seconds(strangers, "cb-por-1", 0, many, limit=("--max-executions=1",)), "s", 1)


def findings(tool, effort):
    """The whole command, of which nearly all is what comes after the search."""
    binary = tool.instrumented("findings.c")
    count = effort.count(10_000)
    seconds = tool.command_seconds(binary, DFS, "--keep-going", f"--max-executions={count}")
    yield Row(f"{count:,} findings, all of the command's CPU time", seconds, "s", 10)


def start_up(tool, effort):
    """The whole command with a single execution: an upper bound. The report's own startup_seconds
    leaves out what the command line does before it launches the program."""
    binary = tool.plain("barrier.c")

    def seconds():
        began = time.monotonic()
        tool.check(binary, "--max-executions=1")
        return time.monotonic() - began
    shortest = min(effort.best(seconds) for _ in range(3))
    yield Row("start-up, one execution and end, real time", shortest * 1e3, "ms", 50)


TARGETS = (executions, reductions, visible_events, plain_accesses, access_checks, native_speed,
           memory, reset, checkpoints, crowd, context_bounds, findings, start_up)
