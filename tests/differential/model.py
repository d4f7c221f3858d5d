"""An independent enumeration of the executions of a small program with values.

A program is a dictionary from thread number (0: main) to a list of operations; `flatten` makes of
it one line of instructions for each thread. Each thread has one register, r.

    create T, join T                    lock M, unlock M, trylock M (r = success)
    wait C M, signal C, broadcast C     yield, sleep
    load V, store V k (V = r + k), add V k (r = old), cas V a b (r = success): atomic
    read P, write P k (P = r + k), bump P (r = P++): plain, steps only under --visible=all
    copy P Q (Q = P, by memcpy), clear P (P = 0, by memset), nought P (r = P == 0, by memcmp): likewise
    rdlock, wrlock, rwunlock, tryrd (r = success), trywr: one reader-writer lock
    take, post, trytake (r = success), value (r = value): one semaphore, 1 at first
    spin, unspin, tryspin (r = success): one spin lock;  arrive: a barrier of two
    if k [operations] (when r == k), assert k (r != k), die HOW, scribble: never steps

The result says for each number of preemptions and each outcome how many executions there are and
how many steps they take together. Executions are counted over states, with none of the machinery
that the numbers are compared with.
"""
from collections import Counter, namedtuple
from functools import lru_cache

NORMAL, RECURSIVE, ERRORCHECK = "normal", "recursive", "errorcheck"
UNBORN = -1
LOCAL = {"unless", "assert", "die", "scribble"}
ALWAYS_VISIBLE = {"start", "create", "join", "relock", "leave"}
BLOCKING = {"lock", "rdlock", "wrlock", "take", "spin"}
PLAIN = {"read", "write", "touch", "fetch", "put", "clear", "decide"}

# threads: {number: operations}; mutexes: their kinds; final: main returns a digest of all variables
# instead of its register, because all threads have been joined by then.
Program = namedtuple("Program", "threads mutexes final")
# owners: (thread, depth) or None for each mutex; waiting: of (condition, thread); depths: how deep
# each thread held the mutex it gave up to wait.
# writer: of the reader-writer lock, or None; readers: how often each thread reads; spinner: who has
# the spin lock, or None; items: in the semaphore; arrived: at the barrier; kept: what each thread's
# library call has read.
State = namedtuple("State", "positions registers owners waiting depths variables plain unjoined "
                            "writer readers spinner items arrived kept")


def flatten(operations):
    line = []
    for op, *rest in operations:
        if op == "if":
            body = flatten(rest[1])
            line += [("unless", rest[0], len(body)), *body]
        elif op == "bump":
            line += [("read", rest[0]), ("write", rest[0], 1)]
        elif op == "copy":
            line += [("fetch", rest[0]), ("put", rest[1])]
        elif op == "nought":  # compared with a constant, which is read from memory
            line += [("fetch", rest[0]), ("decide",)]
        elif op == "wait":
            line += [("wait", *rest), ("relock", *rest)]
        elif op == "arrive":
            line += [("arrive",), ("leave",)]
        elif op in ("create", "join"):  # the handle is written to memory, or read from it
            line += [("touch",), (op, *rest)]
        else:
            line.append((op, *rest))
    return line


def digest(variables, plain):
    return sum(value * 3 ** place for place, value in enumerate((*variables, *plain))) & 15


class Enumeration:
    def __init__(self, program, every_access=False):
        # Between main's return and the end of the process lies a look at the list of exit handlers.
        self.lines = [(*([("start",)] if t else []), *flatten(ops), *([] if t else [("handlers",)]),
                       ("end",)) for t, ops in sorted(program.threads.items())]
        self.kinds, self.final, self.every_access = program.mutexes, program.final, every_access

    def outcomes(self):
        """Counter of executions, Counter of steps; both by (preemptions, outcome)."""
        self.executions = lru_cache(maxsize=None)(self._executions)
        threads = len(self.lines)
        state = State((0,) + (UNBORN,) * (threads - 1), (0,) * threads,
                      (None,) * len(self.kinds), frozenset(), (0,) * threads, (0, 0), (0, 0), 0,
                      None, (0,) * threads, None, 1, frozenset(), (0,) * threads)
        state, outcome = self.settle(state, 0)
        return ({(0, outcome): 1}, {(0, outcome): 0}) if outcome else self.executions(state, 0,
                                                                                      False)

    def _executions(self, state, last, gave_up):
        runnable = [t for t in range(len(self.lines)) if self.enabled(state, t)]
        if not runnable:
            alive = any(0 <= p < len(line) for p, line in zip(state.positions, self.lines))
            outcome = "deadlock" if alive else "finished"
            return Counter({(0, outcome): 1}), Counter({(0, outcome): 0})
        count, steps = Counter(), Counter()
        for thread in runnable:
            preempts = int(thread != last and last in runnable and not gave_up)
            op = self.instruction(state, thread)[0]
            for successor, outcome in self.step(state, thread):
                if outcome is None:
                    successor, outcome = self.settle(successor, thread)
                below = (({(0, outcome): 1}, {(0, outcome): 0}) if outcome else
                         self.executions(successor, thread, op in ("yield", "sleep")))
                for (preemptions, end), number in below[0].items():
                    count[preemptions + preempts, end] += number
                    steps[preemptions + preempts, end] += below[1][preemptions, end] + number
        return count, steps

    def instruction(self, state, thread):
        return self.lines[thread][state.positions[thread]]

    def ended(self, state, thread):
        return state.positions[thread] == len(self.lines[thread])

    def enabled(self, state, thread):
        if state.positions[thread] == UNBORN or self.ended(state, thread):
            return False
        op, *objects = self.instruction(state, thread)
        if op == "join":
            return self.ended(state, objects[0])
        if op == "lock":
            owner = state.owners[objects[0]]
            return owner is None or (owner[0] == thread and self.kinds[objects[0]] != NORMAL)
        if op == "relock":
            return (objects[0], thread) not in state.waiting and state.owners[objects[1]] is None
        if op == "rdlock":
            return state.writer in (None, thread)
        if op == "wrlock":
            return state.writer == thread or state.writer is None and not any(state.readers)
        if op == "take":
            return state.items > 0
        if op == "spin":
            return state.spinner is None
        if op == "leave":
            return thread not in state.arrived
        return True

    def is_step(self, state, thread):
        op, *objects = self.instruction(state, thread)
        if op in LOCAL:
            return False
        if op in PLAIN:
            return self.every_access and state.unjoined > 0
        if op in BLOCKING and not self.enabled(state, thread):
            return True
        if op in ("rdlock", "wrlock") and state.writer == thread:
            return False  # an error is returned at once
        return op in ALWAYS_VISIBLE or state.unjoined > 0

    def settle(self, state, thread):
        """Runs a thread on to its next step: (state, outcome or None)."""
        outcome = None
        while outcome is None and not self.ended(state, thread):
            op, *objects = self.instruction(state, thread)
            if op == "lock" and self.kinds[objects[0]] == NORMAL:
                owner = state.owners[objects[0]]
                if owner is not None and owner[0] == thread:
                    return state, "deadlock"
            if op == "spin" and state.spinner == thread:
                return state, "deadlock"
            if self.is_step(state, thread):
                break
            (state, outcome), = self.step(state, thread)
        return state, outcome

    def step(self, state, thread):
        """All (state, outcome or None) after the next instruction of a thread, one per choice."""
        op, *args = self.instruction(state, thread)
        state = state._replace(positions=replace(state.positions, thread,
                                                 state.positions[thread] + 1))
        return getattr(self, "do_" + op)(state, thread, *args)

    def do_start(self, state, thread):
        return [(state, None)]

    do_yield = do_sleep = do_touch = do_scribble = do_handlers = do_start

    def do_end(self, state, thread):
        if thread:
            return [(state, None)]
        status = digest(state.variables, state.plain) if self.final else state.registers[0] & 15
        return [(state, f"exit-status {status}" if status else "finished")]

    def do_create(self, state, thread, child):
        return [(state._replace(positions=replace(state.positions, child, 0),
                                unjoined=state.unjoined + 1), None)]

    def do_join(self, state, thread, child):
        return [(state._replace(unjoined=state.unjoined - 1), None)]

    def do_lock(self, state, thread, mutex):
        owner = state.owners[mutex]
        if owner is None:
            return [(own(state, mutex, (thread, 1)), None)]
        if self.kinds[mutex] == RECURSIVE:
            return [(own(state, mutex, (thread, owner[1] + 1)), None)]
        return [(state, None)]  # an error is returned

    def do_trylock(self, state, thread, mutex):
        owner = state.owners[mutex]
        again = owner is not None and owner[0] == thread and self.kinds[mutex] == RECURSIVE
        if owner is not None and not again:
            return [(assign(state, thread, 0), None)]
        depth = owner[1] + 1 if again else 1
        return [(own(assign(state, thread, 1), mutex, (thread, depth)), None)]

    def do_unlock(self, state, thread, mutex):
        owner = state.owners[mutex]
        if owner is None or owner[0] != thread:
            return [(state, "mutex-misuse" if self.kinds[mutex] == NORMAL else None)]
        return [(own(state, mutex, (thread, owner[1] - 1) if owner[1] > 1 else None), None)]

    def do_wait(self, state, thread, condition, mutex):
        owner = state.owners[mutex]
        if owner is None or owner[0] != thread:
            if self.kinds[mutex] != ERRORCHECK:
                return [(state, "cond-misuse")]
            skipped = replace(state.positions, thread, state.positions[thread] + 1)
            return [(state._replace(positions=skipped), None)]
        return [(own(state, mutex, None)._replace(waiting=state.waiting | {(condition, thread)},
                                                  depths=replace(state.depths, thread, owner[1])),
                 None)]

    def do_relock(self, state, thread, condition, mutex):
        return [(own(state, mutex, (thread, state.depths[thread])), None)]

    def do_signal(self, state, thread, condition):
        waiters = [w for w in state.waiting if w[0] == condition]
        return [(state._replace(waiting=state.waiting - {w}), None) for w in waiters] or [
            (state, None)]

    def do_broadcast(self, state, thread, condition):
        return [(state._replace(waiting=frozenset(w for w in state.waiting if w[0] != condition)),
                 None)]

    def do_rdlock(self, state, thread):
        if state.writer == thread:
            return [(state, None)]
        return [(read(state, thread, 1), None)]

    def do_wrlock(self, state, thread):
        return [(state._replace(writer=thread), None)]

    def do_tryrd(self, state, thread):
        if state.writer is not None:
            return [(assign(state, thread, 0), None)]
        return [(read(assign(state, thread, 1), thread, 1), None)]

    def do_trywr(self, state, thread):
        if state.writer is not None or any(state.readers):
            return [(assign(state, thread, 0), None)]
        return [(assign(state, thread, 1)._replace(writer=thread), None)]

    def do_rwunlock(self, state, thread):
        if state.writer == thread:
            return [(state._replace(writer=None), None)]
        if state.readers[thread] == 0:
            return [(state, "rwlock-misuse")]
        return [(read(state, thread, -1), None)]

    def do_take(self, state, thread):
        return [(state._replace(items=state.items - 1), None)]

    def do_trytake(self, state, thread):
        if state.items == 0:
            return [(assign(state, thread, 0), None)]
        return [(assign(state, thread, 1)._replace(items=state.items - 1), None)]

    def do_post(self, state, thread):
        return [(state._replace(items=state.items + 1), None)]

    def do_value(self, state, thread):
        return [(assign(state, thread, state.items), None)]

    def do_spin(self, state, thread):
        return [(state._replace(spinner=thread), None)]

    def do_tryspin(self, state, thread):
        if state.spinner is not None:
            return [(assign(state, thread, 0), None)]
        return [(assign(state, thread, 1)._replace(spinner=thread), None)]

    def do_unspin(self, state, thread):
        if state.spinner != thread:
            return [(state, "spin-misuse")]
        return [(state._replace(spinner=None), None)]

    def do_arrive(self, state, thread):
        if not state.arrived:
            return [(state._replace(arrived=frozenset({thread})), None)]
        passed = replace(state.positions, thread, state.positions[thread] + 1)
        return [(state._replace(arrived=frozenset(), positions=passed), None)]

    do_leave = do_start

    def do_load(self, state, thread, variable):
        return [(assign(state, thread, state.variables[variable]), None)]

    def do_store(self, state, thread, variable, k):
        return [(put(state, variable, state.registers[thread] + k), None)]

    def do_add(self, state, thread, variable, k):
        old = state.variables[variable]
        return [(put(assign(state, thread, old), variable, old + k), None)]

    def do_cas(self, state, thread, variable, expected, desired):
        if state.variables[variable] != expected:
            return [(assign(state, thread, 0), None)]
        return [(put(assign(state, thread, 1), variable, desired), None)]

    def do_read(self, state, thread, variable):
        return [(assign(state, thread, state.plain[variable]), None)]

    def do_write(self, state, thread, variable, k):
        value = state.registers[thread] + k
        return [(state._replace(plain=replace(state.plain, variable, value)), None)]

    def do_fetch(self, state, thread, variable):
        return [(state._replace(kept=replace(state.kept, thread, state.plain[variable])), None)]

    def do_put(self, state, thread, variable):
        return [(state._replace(plain=replace(state.plain, variable, state.kept[thread])), None)]

    def do_clear(self, state, thread, variable):
        return [(state._replace(plain=replace(state.plain, variable, 0)), None)]

    def do_decide(self, state, thread):
        return [(assign(state, thread, int(state.kept[thread] == 0)), None)]

    def do_unless(self, state, thread, k, length):
        if state.registers[thread] == k:
            return [(state, None)]
        target = state.positions[thread] + length
        return [(state._replace(positions=replace(state.positions, thread, target)), None)]

    def do_assert(self, state, thread, k):
        return [(state, "assertion" if state.registers[thread] == k else None)]

    def do_die(self, state, thread, how):
        return [(state, "dead")]


def replace(values, place, value):
    return values[:place] + (value,) + values[place + 1:]


def own(state, mutex, owner):
    return state._replace(owners=replace(state.owners, mutex, owner))


def read(state, thread, by):
    return state._replace(readers=replace(state.readers, thread, state.readers[thread] + by))


def assign(state, thread, value):
    return state._replace(registers=replace(state.registers, thread, value))


def put(state, variable, value):
    return state._replace(variables=replace(state.variables, variable, value))
