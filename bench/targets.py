"""One function per target. Each yields the rows it measured.

Times are CPU times, the best of a few runs: the machine is never ours alone. What a single event
or access costs is the difference between a run and one twice as long, so that start-up cancels.
"""

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
    repeat: int = 3

    def count(self, full):
        return max(full // self.divisor, 1)

    def best(self, measure):
        return min(measure() for _ in range(self.repeat))


DFS = "--strategy=dfs"
ONE_EXECUTION = (DFS, "--max-executions=1", "--max-steps=100000000")


def rate(tool, effort, binary, executions, *options):
    """Executions per second of CPU time, start-up included."""
    def seconds_each():
        report = tool.check(binary, DFS, f"--max-executions={executions}", *options)
        return report["cpu_seconds"] / report["executions"]
    return 1 / effort.best(seconds_each)


def doubling(effort, seconds, size):
    """seconds(2·size) − seconds(size), per unit."""
    return (effort.best(lambda: seconds(2 * size)) - effort.best(lambda: seconds(size))) / size


def executions(tool, effort):
    for source in ("barrier.c", "indexer.c"):
        binary = tool.plain(source)
        in_place = rate(tool, effort, binary, effort.count(1_000_000))
        forked = rate(tool, effort, binary, effort.count(5_000), "--isolation=fork")
        name = source.removesuffix(".c")
        yield Row(f"executions per second, {name}", in_place, "/s", 200_000, at_least=True)
        yield Row(f"times faster than a fork, {name}", in_place / forked, "×", 30, at_least=True)


def visible_events(tool, effort):
    for name, flags in (("a thread runs on", ()), ("switch at every event", ("-DYIELD",))):
        binary = tool.plain("events.c", *flags)

        def seconds(events):
            return tool.check(binary, *ONE_EXECUTION, arguments=[events])["cpu_seconds"]
        each = doubling(effort, seconds, effort.count(1_000_000))
        yield Row(f"visible event, {name}", each * 1e9, "ns", 150)


def plain_accesses(tool, effort):
    instrumented, plain = tool.instrumented("accesses.c"), tool.plain("accesses.c")

    def seconds(accesses):
        return tool.check(instrumented, *ONE_EXECUTION, arguments=[accesses])["cpu_seconds"]
    count = effort.count(100_000_000)
    each = doubling(effort, seconds, count)
    bare = doubling(effort, lambda n: plain_seconds(plain, n), count)
    yield Row("access that is no scheduling point", (each - bare) * 1e9, "ns", 10)


def native_speed(tool, effort):
    instrumented, plain = tool.instrumented("additions.c"), tool.plain("additions.c")

    def seconds(additions):
        return tool.check(instrumented, *ONE_EXECUTION, arguments=[additions])["cpu_seconds"]
    count = effort.count(100_000_000)

    def least(argument):
        """Both ways in turn, so that a quiet moment of the machine serves both."""
        pairs = [(seconds(argument), plain_seconds(plain, argument))
                 for _ in range(5 * effort.repeat)]
        return map(min, zip(*pairs))
    under_heddle, by_itself = least(count)
    start_up, plain_start_up = least(1)
    yield Row("loop of additions, relative to plain binary",
              (under_heddle - start_up) / max(by_itself - plain_start_up, 1e-6), "×", 1.05)


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
        return doubling(effort, seconds, effort.count(200_000))
    small = execution()
    yield Row("one execution, counter", small * 1e6, "µs")
    for name, flag in (("256 MB static", "-DSTATIC_MB=256"),
                       ("100 MB heap written before main", "-DBEFORE_MAIN_MB=100"),
                       ("100 MB heap allocated in main", "-DIN_MAIN_MB=100")):
        yield Row(f"the same with {name}", execution(flag) / small, "×", 2)


def crowd(tool, effort):
    binary = tool.plain("crowd.c")

    def seconds(executions):
        return tool.check(binary, DFS, f"--max-executions={executions}")["cpu_seconds"]
    each = doubling(effort, seconds, effort.count(50))
    yield Row("one execution of 1,000 threads", each * 1e3, "ms")


def start_up(tool, effort):
    binary = tool.plain("barrier.c")
    runs = [tool.check(binary, "--max-executions=1")["startup_seconds"]
            for _ in range(3 * effort.repeat)]
    yield Row("start-up", min(runs) * 1e3, "ms", 50)


TARGETS = (executions, visible_events, plain_accesses, native_speed, memory, reset, crowd, start_up)
