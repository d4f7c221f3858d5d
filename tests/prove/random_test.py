#!/usr/bin/env python3
"""Random programs in C: `heddle prove` comes to the same ends as a native enumeration does.

    random_test.py HEDDLE [NUMBER [FIRST_SEED]]

The programs have two or three threads on shared variables, plain and atomic, with locks, semaphores,
conditions, branches, loops, calls, arrays, records and choices; main exits with a status made from the
final values. `heddle check --strategy=dfs --visible=all --keep-going` (optimal-dpor where there are too
many executions) and `heddle prove --keep-going`, without and with each reduction, must report the same: exit statuses, failed assertions, deadlocks.
A failure names the seed; NUMBER 1 and that seed repeat it.
"""
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import scale  # noqa: E402

HEAD = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <heddle/heddle.h>
struct pair { short low; int high; };
static int x, y, table[3];
static struct pair pair;
static atomic_int a;
static int* block;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static int twice(int n) { return n <= 0 ? 0 : 2 + twice(n - 1); }
static void add(int* to, int n) { *to += n; }
static void (*const apply)(int*, int) = add;
"""
NATIVE = ["--visible=all", "--races=off", "--leaks=off", "--blocked-at-exit=off",
          "--memory=off", "--keep-going", "--max-executions=30000", "--minimise=0", "--json"]
PROVE = ["--races=off", "--keep-going", "--confirm=no", "--json", "--max-states=500000", "--time=60"]
VARIANTS = ([], ["--reduction=stubborn", "--order=depth"], ["--reduction=transactions", "--order=depth"])


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.number = 0

    def pick(self, *what):
        return self.rng.choice(what)

    def variable(self):
        return self.pick("x", "y", "table[r & 1]", "pair.low", "pair.high", "*block")

    def statement(self, depth):
        k = self.rng.randrange(1, 4)
        v = self.variable()
        simple = [
            f"{v} = r + {k};", f"r = {v};", f"r += {v};", f"{v} += {k};", f"a += {k};",
            f"r = atomic_fetch_sub(&a, {k});", "r = a;", f"r = r * {k} - 1;", f"r ^= {k};",
            f"{{ int seen = a; atomic_compare_exchange_strong(&a, &seen, r + {k}); r = seen; }}",
            f"r = r / {k} + (r % {k + 1}) + (r << 1 & 7);", f"r = twice({k}) + ((unsigned)r >> 3);",
            f"apply(&{self.pick('x', 'y', 'r')}, {k});", "sched_yield();", f"r = (int)heddle_choose({self.pick(2, 3)});",
            f"assert(r != {self.rng.randrange(9, 30)});", "sem_post(&s);",
            f"{{ int local[3] = {{r, 1, {k}}}; local[{v} & 1] += {k}; r = local[0]; }}",
        ]
        if depth >= 2 or self.rng.random() < 0.6:
            return self.rng.choice(simple)
        lock = self.rng.randrange(2)
        inner = self.body(self.rng.randrange(1, 3), depth + 1)
        return self.pick(
            f"pthread_mutex_lock(&m[{lock}]); {inner} pthread_mutex_unlock(&m[{lock}]);",
            f"if (pthread_mutex_trylock(&m[{lock}]) == 0) {{ {inner} pthread_mutex_unlock(&m[{lock}]); }}",
            f"if ({v} > {k}) {{ {inner} }} else r -= {k};",
            f"for (int i = 0; i < {self.pick(1, 2)}; ++i) {{ {inner} }}",
            f"switch (r & 3) {{ case 0: {inner} break; case 2: r = 5; break; default: r -= 1; }}",
            f"sem_wait(&s); {inner} sem_post(&s);",
            f"if (sem_trywait(&s) == 0) {{ {inner} sem_post(&s); }}",
            f"pthread_rwlock_rdlock(&w); {inner} pthread_rwlock_unlock(&w);",
            f"pthread_rwlock_wrlock(&w); {inner} pthread_rwlock_unlock(&w);",
            f"pthread_mutex_lock(&m[0]); if ({v} == 0) pthread_cond_wait(&c, &m[0]); {inner} "
            "pthread_mutex_unlock(&m[0]);",
            f"pthread_mutex_lock(&m[0]); {v} = {k}; pthread_cond_{self.pick('signal', 'broadcast')}(&c); "
            "pthread_mutex_unlock(&m[0]);",
            f"heddle_atomic_begin(); {self.pick('x', 'y')} += r; x += {k}; heddle_atomic_end();",
        )

    def body(self, length, depth=0):
        return " ".join(self.statement(depth) for _ in range(length))

    def source(self):
        threads = self.pick(2, 2, 2, 3)
        room = {2: 4, 3: 2}[threads]
        text = HEAD
        for t in range(threads):
            text += (f"static void* run{t}(void* p) {{\n  int r = (int)(long)p;\n"
                     f"  {self.body(self.rng.randrange(1, room))}\n  return (void*)(long)(r & 7);\n}}\n")
        text += ("int main(void) {\n  pthread_t t[3];\n  void* result;\n  int sum = 0;\n"
                 "  block = calloc(1, sizeof *block);\n"
                 f"  sem_init(&s, 0, {self.rng.randrange(3)});\n")
        for t in range(threads):
            text += f"  pthread_create(&t[{t}], NULL, run{t}, (void*){t + 1});\n"
        text += (f"  for (int i = 0; i < {threads}; ++i) {{ pthread_join(t[i], &result); "
                 "sum = sum * 3 + (int)(long)result; }\n"
                 "  unsigned h = x + 3 * y + 5 * a + 7 * table[0] + 11 * table[1] + 13 * pair.low + "
                 "17 * pair.high + 19 * *block + sum;\n"
                 "  free(block);\n  return (int)(h % 250) + 1;\n}\n")
        return text


def ends(report):
    """What was found, in terms that both understand."""
    return {(f["kind"], "" if f["kind"] == "deadlock" else f["message"]) for f in report["findings"]}


def run(heddle, directory, *words):
    done = subprocess.run([heddle, *words], capture_output=True, text=True, cwd=directory, timeout=300)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{' '.join(words)}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def compare(heddle, seed):
    """None: not compared; else a complaint or ""."""
    with tempfile.TemporaryDirectory() as top:
        (Path(top) / "p.c").write_text(Generator(seed).source())
        for strategy in ("dfs", "optimal-dpor"):
            native = run(heddle, top, "check", "p.c", *NATIVE, f"--strategy={strategy}")
            if native["end_reason"] == "exhausted":
                break
        else:
            return None
        for words in VARIANTS:
            proved = run(heddle, top, "prove", "p.c", *PROVE, *words)
            if proved["end_reason"] != "exhausted":
                return f"prove {words}: {proved['end_reason']} {proved['reason']}"
            if ends(proved) != ends(native):
                return (f"prove {words}: only natively {sorted(ends(native) - ends(proved))[:5]}, only by prove "
                        f"{sorted(ends(proved) - ends(native))[:5]}")
    return ""


def main():
    heddle = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(200)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    compared, complaints = 0, []
    with ThreadPoolExecutor(2) as pool:
        seeds = range(first, first + number)
        for seed, complaint in zip(seeds, pool.map(lambda seed: compare(heddle, seed), seeds)):
            compared += complaint is not None
            if complaint:
                complaints.append(f"seed {seed}: {complaint}")
    print(f"{compared} of {number} compared")
    print("\n".join(complaints))
    if number > 1 and compared < number / 2:
        complaints.append("too few could be enumerated natively")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
