"""An independent count of schedules, for programs simple enough to be written as a model.

A model gives each thread a straight line of operations; starting and ending a thread are steps of
their own, as is everything else that is written down:

    main = create a; create b; join a; join b
    a = lock m; unlock m
    b = lock m; wait c m; unlock m

Operations: create T, join T, lock M, unlock M, wait C M (two steps: giving up the mutex, and taking
it back), signal C, broadcast C, rdlock L, wrlock L, rwunlock L, post S and take S (a semaphore that
starts at 0), arrive B N (the last of N passes at once, for the others leaving is a step), yield, sleep, step (any step that is always possible), exit (of
the thread that says it; main otherwise ends the process). Operations may be repeated: `3 step`.

The count is of complete executions, those that end in a deadlock included, by their number of
preemptions: switches away from a thread that could have gone on and had not just yielded. It is
computed over states, with none of the machinery it is compared with.
"""
from collections import Counter
from functools import lru_cache

NOT_CREATED = -1


def parse(lines):
    """['a = lock m; unlock m', …] -> {'a': (('lock', 'm'), ('unlock', 'm')), …}"""
    threads = {}
    for line in lines:
        name, _, text = line.partition("=")
        operations = []
        for part in filter(None, (p.split() for p in text.split(";"))):
            repeat = int(part.pop(0)) if part[0].isdigit() else 1
            for _ in range(repeat):
                operations.append(tuple(part))
                if part[0] == "wait":
                    operations.append(("relock", *part[1:]))
                if part[0] == "arrive":
                    operations.append(("leave", *part[1:]))
        if ("exit",) not in operations:
            operations.append(("end-process",) if name.strip() == "main" else ("exit",))
        threads[name.strip()] = tuple(operations)
    return threads


class Model:
    def __init__(self, lines):
        self.scripts = parse(lines)
        self.names = list(self.scripts)
        # Every thread but main begins with its start.
        for name in self.names:
            if name != "main":
                self.scripts[name] = (("start",), *self.scripts[name])

    def done(self, positions, name):
        return positions[self.names.index(name)] == len(self.scripts[name])

    def enabled(self, state, thread):
        positions, owners, waiting = state
        name = self.names[thread]
        if positions[thread] == NOT_CREATED or self.done(positions, name):
            return False
        op, *objects = self.scripts[name][positions[thread]]
        if op == "join":
            return self.done(positions, objects[0])
        if op == "lock":
            return objects[0] not in dict(owners)
        if op == "rdlock":
            return dict(owners).get(objects[0], 0) >= 0
        if op == "wrlock":
            return dict(owners).get(objects[0], 0) == 0
        if op == "take":
            return dict(owners).get(objects[0], 0) > 0
        if op == "leave":
            return (objects[0], thread) not in waiting
        if op == "relock":
            return (objects[0], thread) not in waiting and objects[1] not in dict(owners)
        return True

    def successors(self, state, thread):
        """The states after one step, one per choice; None where the process has ended."""
        positions, owners, waiting = list(state[0]), dict(state[1]), set(state[2])
        op, *objects = self.scripts[self.names[thread]][positions[thread]]
        positions[thread] += 1
        choices = [waiting]
        if op == "end-process":
            return [None]
        if op == "create":
            positions[self.names.index(objects[0])] = 0
        elif op == "lock":
            owners[objects[0]] = thread
        elif op == "relock":
            owners[objects[1]] = thread
        elif op == "unlock":
            del owners[objects[0]]
        elif op in ("rdlock", "post"):
            owners[objects[0]] = owners.get(objects[0], 0) + 1
        elif op == "wrlock":
            owners[objects[0]] = -1
        elif op == "rwunlock":
            owners[objects[0]] = max(0, owners[objects[0]] - 1)
        elif op == "take":
            owners[objects[0]] -= 1
        elif op == "arrive":
            others = {w for w in waiting if w[0] == objects[0]}
            if len(others) + 1 == int(objects[1]):
                positions[thread] += 1
                choices = [waiting - others]
            else:
                waiting.add((objects[0], thread))
        elif op == "wait":
            del owners[objects[1]]
            waiting.add((objects[0], thread))
        elif op == "signal":
            waiters = [w for w in waiting if w[0] == objects[0]]
            choices = [waiting - {w} for w in waiters] or [waiting]
        elif op == "broadcast":
            choices = [{w for w in waiting if w[0] != objects[0]}]
        return [(tuple(positions), tuple(sorted(owners.items())), frozenset(c)) for c in choices]

    def count(self):
        """Counter: (number of preemptions, ends in a deadlock) -> number of executions."""

        @lru_cache(maxsize=None)
        def executions(state, last, gave_up):
            runnable = [t for t in range(len(self.names)) if self.enabled(state, t)]
            if not runnable:
                stuck = any(p != NOT_CREATED and not self.done(state[0], n)
                            for n, p in zip(self.names, state[0]))
                return Counter({(0, stuck): 1})
            total = Counter()
            for thread in runnable:
                preempts = int(thread != last and last in runnable and not gave_up)
                op = self.scripts[self.names[thread]][state[0][thread]][0]
                for successor in self.successors(state, thread):
                    after = (Counter({(0, False): 1}) if successor is None else
                             executions(successor, thread, op in ("yield", "sleep")))
                    for (preemptions, stuck), number in after.items():
                        total[preemptions + preempts, stuck] += number
            return total

        start = tuple(0 if name == "main" else NOT_CREATED for name in self.names)
        main = self.names.index("main")
        return executions((start, (), frozenset()), main, False)


def count_executions(lines, bound=None):
    return sum(number for (preemptions, _), number in Model(lines).count().items()
               if bound is None or preemptions <= bound)
