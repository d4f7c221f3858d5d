"""The buggy programs, and what others needed to find their bugs.

Published medians are of executions to the first failure: PCT and POS as measured beside RFF, the
reads-from fuzzer (Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency testing",
ASPLOS 2024). None: not published, or not for this program. NEVER: not found within their budget.
"""

from dataclasses import dataclass

NEVER = "never"


@dataclass
class Program:
    name: str
    source: str
    flags: tuple = ()
    fixed_flags: tuple = ()  # besides -DFIXED, and instead of `flags`, where those are too large
    pct: object = None
    pos: object = None
    rff: object = None

    @property
    def best(self):
        """The fewest published executions, or None."""
        known = [n for n in (self.pct, self.pos, self.rff) if isinstance(n, int)]
        return min(known, default=None)


def sized(name, source, macro, size, **published):
    flag = (f"-D{macro}={size}",)
    return Program(name, source, flag, flag, **published)


PROGRAMS = (
    Program("account", "account.c", pct=9, pos=1, rff=1),
    Program("lazy01", "lazy01.c"),
    sized("twostage_2", "twostage.c", "SETTERS", 1),
    sized("twostage_20", "twostage.c", "SETTERS", 19, pct=188, pos=185, rff=22),
    sized("twostage_100", "twostage.c", "SETTERS", 99, pct=3888, pos=NEVER, rff=56),
    sized("reorder_3", "reorder.c", "SETTERS", 2, pct=241, pos=223, rff=7),
    sized("reorder_5", "reorder.c", "SETTERS", 4),
    sized("reorder_10", "reorder.c", "SETTERS", 9, pct=2356, pos=NEVER, rff=6),
    sized("reorder_100", "reorder.c", "SETTERS", 99),
    Program("stack", "stack.c"),
    Program("queue", "queue.c"),
    Program("circular_buffer", "circular_buffer.c"),
    Program("wronglock_3", "wronglock.c", pct=40, pos=1, rff=1),
    Program("token_ring", "token_ring.c"),
    Program("bluetooth", "bluetooth.c", pct=161, pos=72, rff=45),
    Program("string_buffer", "string_buffer.cc", pct=195, pos=18, rff=15),
    Program("work_stealing_1", "work_stealing.c", ("-DBUG=1",)),
    Program("work_stealing_2", "work_stealing.c", ("-DBUG=2",)),
    Program("work_stealing_3", "work_stealing.c", ("-DBUG=3",)),
    Program("deadlock01", "deadlock01.c", pct=20, pos=4, rff=5),
    Program("carter01", "carter01.c"),
    Program("philosophers", "philosophers.c"),
    Program("lost_broadcast", "lost_broadcast.c"),
    Program("bank", "bank.c"),
    Program("driver_uaf", "driver_uaf.c"),
)
