"""Random programs (see model.py for their operations), and their source text in C and C++."""
import random

from model import ERRORCHECK, NORMAL, RECURSIVE, Enumeration, Program

DEATHS = ("kill", "exit_group", "null", "smash")


class Generator:
    """One random program. Conditions have one mutex each, as POSIX wants it."""

    def __init__(self, seed, cxx, deaths, families):
        self.rng, self.deaths, self.families = random.Random(seed), deaths, families
        kinds = (NORMAL,) if cxx else (NORMAL, NORMAL, RECURSIVE, ERRORCHECK)
        self.mutexes = tuple(self.rng.choice(kinds) for _ in range(2))
        self.mutex_of = [self.rng.randrange(2) for _ in range(2)]
        # C++ has no error return: what is undefined there must not happen.
        self.careless = 0 if cxx else 0.08

    def chance(self, probability):
        return self.rng.random() < probability

    def program(self):
        rng, number = self.rng, self.rng.choice((1, 2, 2, 2, 2, 3))
        room = {1: 8, 2: 5, 3: 3}[number] - self.deaths
        threads = {t: self.operations(rng.randint(1, room)) for t in range(1, number + 1)}
        threads[0] = self.operations(rng.randint(0, 3))
        final = True
        for child in range(number, 0, -1):
            parent = rng.randrange(child) if self.chance(0.3) else 0
            threads[parent].insert(0, ("create", child))
            if self.chance(0.8):
                threads[parent].append(("join", child))
            else:
                final = False
        for line in threads.values():  # sometimes joined at once, in the other order, or earlier
            joins = [op for op in line if op[0] == "join"]
            if joins and self.chance(0.25):
                line.remove(joins[0])
                line.insert(1 + line.index(("create", joins[0][1])), joins[0])
        if number > 1 and not self.joined_at_end(threads):
            final = False
        return Program(threads, self.mutexes, final)

    @staticmethod
    def joined_at_end(threads):
        """Whether main ends alone: each thread is joined by its creator."""
        return all(any(("join", t) in line for line in threads.values()) for t in threads if t)

    def operations(self, length):
        line, held = [], []
        while len(line) < length:
            line += self.piece(held)
        for mutex in held if not self.chance(self.careless) else []:
            line.append(("unlock", mutex))
        return line

    def family(self):
        """Of what `families` adds: a section, or an operation alone."""
        rng = self.rng
        inside = [self.simple(rng.randrange(2), rng.randrange(3))] if self.chance(0.7) else []
        careless = self.chance(self.careless)
        kind = rng.choice(("read", "write", "tryrd", "trywr", "take", "trytake", "post", "value",
                           "spin", "tryspin", "arrive", "upgrade"))
        if kind in ("read", "write"):
            return [("rdlock" if kind == "read" else "wrlock",), *inside,
                    *([] if careless else [("rwunlock",)])]
        if kind in ("tryrd", "trywr"):
            return [(kind,), ("if", 0 if careless else 1, [*inside[:0], ("rwunlock",)])]
        if kind == "upgrade":
            return [("rdlock",), ("wrlock",), ("rwunlock",)] if careless else [("arrive",)]
        if kind == "take":
            return [("take",), *inside, *([] if careless else [("post",)])]
        if kind == "trytake":
            return [("trytake",), ("if", 1, [("post",)])]
        if kind == "value":
            return [("value",), ("if", rng.randrange(3), [self.simple(0, 1)])]
        if kind == "spin":
            return [("spin",), *inside, *([] if careless else [("unspin",)])]
        if kind == "tryspin":
            return [("tryspin",), ("if", 0 if careless else 1, [("unspin",)])]
        return [(kind,)]

    def piece(self, held):
        rng = self.rng
        if self.families and self.chance(0.75):
            return self.family()
        mutex, variable, k = rng.randrange(2), rng.randrange(2), rng.randrange(3)
        kind = rng.choices(("lock", "unlock", "try", "wait", "notify", "pause", "atomic", "plain",
                            "branch"), (6, 3, 2, 4, 3, 1, 3, 2, 5))[0]
        if kind == "lock" and (mutex not in held or self.chance(self.careless)):
            held.append(mutex)
            return [("lock", mutex)]
        if kind == "unlock" and (held or self.chance(self.careless)):
            mutex = held.pop(rng.randrange(len(held))) if held else mutex
            return [("unlock", mutex)]
        if kind == "try" and mutex not in held:
            return [("trylock", mutex), ("if", 1, [self.simple(variable, k), ("unlock", mutex)])]
        if kind == "wait":
            condition = rng.randrange(2)
            if self.mutex_of[condition] in held or self.chance(self.careless):
                return [("wait", condition, self.mutex_of[condition])]
            mutex = self.mutex_of[condition]
            return [("lock", mutex), ("wait", condition, mutex), ("unlock", mutex)]
        if kind == "notify":
            return [(rng.choice(("signal", "signal", "broadcast")), rng.randrange(2))]
        if kind == "pause":
            return [(rng.choice(("yield", "sleep")),)]
        if kind == "plain":
            return [rng.choice((("read", variable), ("write", variable, k), ("bump", variable),
                                ("copy", variable, 1 - variable), ("clear", variable),
                                ("nought", variable)))]
        if kind == "branch":
            return [rng.choice((("load", variable), ("add", variable, 1), ("cas", variable, 0, 1))),
                    self.consequence(variable, k)]
        return [self.simple(variable, k)]

    def simple(self, variable, k):
        return self.rng.choice((("load", variable), ("store", variable, k), ("add", variable, k),
                                ("cas", variable, k, 2)))

    def consequence(self, variable, k):
        if self.deaths:
            return self.rng.choice((("if", 1, [("die", self.rng.choice(DEATHS))]), ("scribble",)))
        return self.rng.choice((("if", k, [self.simple(1 - variable, k)]), ("assert", k),
                                ("if", k, [("yield",), self.simple(variable, k)])))


def contains(program, name):
    def inside(operations):
        return any(op[0] == name or (op[0] == "if" and inside(op[2])) for op in operations)
    return any(inside(line) for line in program.threads.values())


def random_program(seed, most_executions, cxx=False, deaths=False, most_deaths=0,
                   families=False):
    """The first program from this seed on whose executions can be run in reasonable time; three of
    four have several outcomes."""
    for attempt in range(10_000):
        program = Generator(f"{seed}.{attempt}", cxx, deaths, families).program()
        if deaths and not contains(program, "die"):
            continue
        count, _ = Enumeration(program).outcomes()
        dead = sum(n for (_, outcome), n in count.items() if outcome == "dead")
        if cxx and any(outcome.endswith("misuse") for _, outcome in count):
            continue
        if seed % 4 and len({outcome for _, outcome in count}) < 2:
            continue
        if 1 < sum(count.values()) <= most_executions and (not deaths or 0 < dead <= most_deaths):
            return program
    raise AssertionError(f"seed {seed}: no suitable program")


TIMED = {"trylock": "timedlock", "tryrd": "timedrd", "trywr": "timedwr", "trytake": "timedtake",
         "wait": "timedwait"}


def with_deadlines(program):
    """The same program, with waits for a time instead of attempts and of waits for ever."""
    def timed(operations):
        return [("if", op[1], timed(op[2])) if op[0] == "if" else (TIMED.get(op[0], op[0]), *op[1:])
                for op in operations]
    return program._replace(threads={t: timed(line) for t, line in program.threads.items()})


REST = {"rdlock": "once", "arrive": "once", "wrlock": "hear", "rwunlock": "tell", "post": "tell",
        "tryrd": "hear_now", "trywr": "pick", "value": "pick", "take": "ready", "trytake": "ready_now",
        "spin": "sleep_on", "unspin": "wake_on", "tryspin": "assume"}


def with_the_rest(program):
    """The same program, with other families in the place of locks, semaphores and barriers: once,
    sockets, polls, futexes, choices and assumptions."""
    def changed(operations):
        return [("if", op[1], changed(op[2])) if op[0] == "if" else (REST.get(op[0], op[0]), *op[1:])
                for op in operations]
    threads = {t: changed(line) for t, line in program.threads.items()}
    threads[0].insert(0, ("connect",))
    return program._replace(threads=threads)


C_PROLOGUE = """\
#include <assert.h>
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m[2];
static pthread_cond_t c[2];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_t handles[4];
static atomic_int v[2];
int p[2];  // not static, or the compiler would know what nobody writes
static void set_up(int kind0, int kind1) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind0);
  pthread_mutex_init(&m[0], &attributes);
  pthread_mutexattr_settype(&attributes, kind1);
  pthread_mutex_init(&m[1], &attributes);
  pthread_spin_init(&spin, 0);
  sem_init(&semaphore, 0, 1);
  pthread_barrier_init(&barrier, NULL, 2);
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void routine(void) { v[1] += 2; }
static int sockets[2];
static inline void connect_sockets(void) { socketpair(AF_UNIX, SOCK_STREAM, 0, sockets); }
static inline int hear(int flags) {
  char byte;
  return recv(sockets[0], &byte, 1, flags) == 1;
}
static inline int ready(int milliseconds) {
  struct pollfd ask = {sockets[0], POLLIN, 0};
  return poll(&ask, 1, milliseconds);
}
static inline int sleep_on(void) { return syscall(SYS_futex, &v[0], FUTEX_WAIT, 0, NULL) == 0; }
static inline void wake_on(void) {
  v[0] = 1;
  syscall(SYS_futex, &v[0], FUTEX_WAKE, 1);
}
static inline int sem_value(void) {
  int value = 0;
  sem_getvalue(&semaphore, &value);
  return value;
}
static inline const struct timespec* soon(void) {
  static _Thread_local struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  return &time;
}
#define BARRIER __asm__ volatile("" : "+r"(r) : : "memory")
#define CREATE(t, f) pthread_create(&handles[t], NULL, f, NULL)
#define JOIN(t) pthread_join(handles[t], NULL)
#define LOCK(i) pthread_mutex_lock(&m[i])
#define UNLOCK(i) pthread_mutex_unlock(&m[i])
#define TRYLOCK(i) (pthread_mutex_trylock(&m[i]) == 0)
#define WAIT(i, j) pthread_cond_wait(&c[i], &m[j])
#define SIGNAL(i) pthread_cond_signal(&c[i])
#define BROADCAST(i) pthread_cond_broadcast(&c[i])
#define YIELD() sched_yield()
#define SLEEP() usleep(1000)
#define fetch_add atomic_fetch_add
static __attribute__((noinline)) int cas(atomic_int* variable, int expected, int desired) {
  return atomic_compare_exchange_strong(variable, &expected, desired);
}
typedef void* result;
#define PARAMETER void* unused
#define RETURN return unused
"""

CXX_PROLOGUE = """\
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
static std::mutex m[2];
static auto* c = new std::condition_variable[2];  // never destroyed, as main may end first
static auto* handles = static_cast<std::thread*>(malloc(4 * sizeof(std::thread)));
static std::atomic<int> v[2];
int p[2];  // not static, or the compiler would know what nobody writes
static void wait(int condition, int mutex) {
  std::unique_lock<std::mutex> lock(m[mutex], std::adopt_lock);
  c[condition].wait(lock);
  lock.release();
}
#define BARRIER __asm__ volatile("" : "+r"(r) : : "memory")
#define CREATE(t, f) new (&handles[t]) std::thread(f)
#define JOIN(t) handles[t].join()
#define LOCK(i) m[i].lock()
#define UNLOCK(i) m[i].unlock()
#define TRYLOCK(i) m[i].try_lock()
#define WAIT(i, j) wait(i, j)
#define SIGNAL(i) c[i].notify_one()
#define BROADCAST(i) c[i].notify_all()
#define YIELD() std::this_thread::yield()
#define SLEEP() std::this_thread::sleep_for(std::chrono::milliseconds(1))
static int fetch_add(std::atomic<int>* variable, int k) { return variable->fetch_add(k); }
static __attribute__((noinline)) int cas(std::atomic<int>* variable, int expected, int desired) {
  return variable->compare_exchange_strong(expected, desired);
}
using result = void;
#define PARAMETER
#define RETURN return
"""

# Ways to die that no intercept sees.
DEATHS_PROLOGUE = """
static __attribute__((noinline, unused)) long system_call(long number, long a, long b) {
  __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b) : "rcx", "r11", "memory");
  return number;
}
static const int constant_nought __attribute__((unused)) = 0;
static __attribute__((noinline, unused)) void smash(void) {
  char small[16];
  char* beyond = small;
  __asm__ volatile("" : "+r"(beyond));
  for (int i = 0; i < 100000; ++i) {
    beyond[i] = 0x41;
    __asm__ volatile("" : : : "memory");
  }
}
static __attribute__((noinline, unused)) void scribble(void) {
  char* block = (char*)malloc(24);
  __asm__ volatile("" : "+r"(block));
  for (int i = 0; i < 400; ++i) {
    block[i] = 0x5a;
    __asm__ volatile("" : : : "memory");
  }
  free(block);
}
static __attribute__((noinline, unused)) int* nowhere(void) {
  int* place = (int*)8;
  __asm__ volatile("" : "+r"(place));
  return place;
}
#define DIE_kill system_call(SYS_kill, system_call(SYS_getpid, 0, 0), SIGKILL)
#define DIE_exit_group system_call(SYS_exit_group, 7, 0)
#define DIE_null *nowhere() = 1
#define DIE_smash smash()
"""

TEXT = {
    "join": "JOIN({})", "lock": "LOCK({})", "unlock": "UNLOCK({})", "trylock": "r = TRYLOCK({})",
    "wait": "WAIT({}, {})", "signal": "SIGNAL({})", "broadcast": "BROADCAST({})",
    "yield": "YIELD()", "sleep": "SLEEP()", "load": "r = v[{}]", "store": "v[{}] = r + {}",
    "add": "r = fetch_add(&v[{}], {})", "cas": "r = cas(&v[{}], {}, {})",
    "read": "r = p[{}]", "write": "p[{}] = r + {}", "bump": "r = p[{}]++",
    "copy": "memcpy(&p[{1}], &p[{0}], sizeof *p)", "clear": "memset(&p[{}], 0, sizeof *p)",
    "nought": "r = memcmp(&p[{}], &constant_nought, sizeof *p) == 0",
    "rdlock": "pthread_rwlock_rdlock(&rw)", "wrlock": "pthread_rwlock_wrlock(&rw)",
    "rwunlock": "pthread_rwlock_unlock(&rw)", "tryrd": "r = pthread_rwlock_tryrdlock(&rw) == 0",
    "trywr": "r = pthread_rwlock_trywrlock(&rw) == 0", "take": "sem_wait(&semaphore)",
    "trytake": "r = sem_trywait(&semaphore) == 0", "post": "sem_post(&semaphore)",
    "value": "r = sem_value()", "spin": "pthread_spin_lock(&spin)",
    "tryspin": "r = pthread_spin_trylock(&spin) == 0", "unspin": "pthread_spin_unlock(&spin)",
    "arrive": "pthread_barrier_wait(&barrier)", "connect": "connect_sockets()",
    "once": "pthread_once(&once, routine)", "hear": "r = hear(0)", "hear_now": "r = hear(MSG_DONTWAIT)",
    "tell": 'send(sockets[1], "x", 1, 0)', "ready": "r = ready(-1)", "ready_now": "r = ready(0)",
    "pick": "r = heddle_choose(2)", "sleep_on": "r = sleep_on()", "wake_on": "wake_on()",
    "assume": "heddle_assume(v[1] != 3)",
    "timedlock": "r = pthread_mutex_timedlock(&m[{}], soon()) == 0",
    "timedrd": "r = pthread_rwlock_timedrdlock(&rw, soon()) == 0",
    "timedwr": "r = pthread_rwlock_timedwrlock(&rw, soon()) == 0",
    "timedtake": "r = sem_timedwait(&semaphore, soon()) == 0",
    "timedwait": "r = pthread_cond_timedwait(&c[{}], &m[{}], soon()) == 0",
    "assert": "assert(r != {})", "die": "DIE_{}", "scribble": "scribble()",
}
KINDS = {NORMAL: "PTHREAD_MUTEX_NORMAL", RECURSIVE: "PTHREAD_MUTEX_RECURSIVE",
         ERRORCHECK: "PTHREAD_MUTEX_ERRORCHECK"}


def statements(name, operations, indent):
    for op, *args in operations:
        if op == "create":
            yield f"{indent}CREATE({args[0]}, {name}_{args[0]});"
        elif op == "if":
            yield f"{indent}if (r == {args[0]}) {{"
            yield from statements(name, args[1], indent + "  ")
            yield indent + "}"
        else:
            yield indent + TEXT[op].format(*args) + "; BARRIER;"


def functions(name, program, cxx):
    for thread in sorted(program.threads, reverse=True):
        head = f"static result {name}_{thread}(PARAMETER)" if thread else f"static int {name}(void)"
        yield head + " {\n  int r = 0; (void)r;"
        if not thread and not cxx:
            yield f"  set_up({', '.join(KINDS[kind] for kind in program.mutexes)});"
        yield from statements(name, program.threads[thread], "  ")
        final = "(v[0] + 3 * v[1] + 9 * p[0] + 27 * p[1]) & 15" if program.final else "r & 15"
        yield f"  RETURN;\n}}" if thread else f"  return {final};\n}}"


def source(programs, cxx):
    """One source file for {name: program}; its first argument chooses among them."""
    lines = [CXX_PROLOGUE if cxx else C_PROLOGUE, DEATHS_PROLOGUE]
    for name, program in programs.items():
        for thread in program.threads:
            if thread:
                lines.append(f"static result {name}_{thread}(PARAMETER);")
        lines += functions(name, program, cxx)
    lines.append("int main(int argc, char** argv) {\n  (void)argc;")
    lines += [f'  if (strcmp(argv[1], "{name}") == 0) return {name}();' for name in programs]
    return "\n".join([*lines, "  return 99;\n}\n"])
