"""Verification tasks in the style of SV-COMP: families of C programs, each with its verdict argued.

A task is (name, text, verdict): whether reach_error() can not be reached.
"""
HEAD = """extern void abort(void);
extern void __assert_fail(const char*, const char*, unsigned, const char*);
void reach_error(void) { __assert_fail("0", "task.c", 1, "reach_error"); }
void assume_abort_if_not(int cond) { if (!cond) abort(); }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: reach_error(); abort(); } }
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
"""


def main(threads, check, start=""):
    """Starts one thread for each name, joins all, then checks."""
    text = f"int main(void) {{\n  pthread_t t[{len(threads)}];\n  {start}\n"
    for i, name in enumerate(threads):
        text += f"  pthread_create(&t[{i}], 0, {name}, (void*){i}L);\n"
    text += f"  for (int i = 0; i < {len(threads)}; i++) pthread_join(t[i], 0);\n  {check}\n  return 0;\n}}\n"
    return text


def counters():
    """Under a lock, in an atomic section or in a function __VERIFIER_atomic_* no increment is lost;
    otherwise two threads can read the same value."""
    ways = {"locked": ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", True),
            "section": ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();", True),
            "plain": ("", "", False)}
    for way, (begin, end, safe) in ways.items():
        for n in (1, 2, 3):
            for k in (1, 2):
                body = (f"static int c;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                        f"static void* f(void* p) {{ for (int i = 0; i < {k}; i++) {{ {begin} int s = c; c = s + 1; "
                        f"{end} }} return 0; }}\n")
                yield (f"counter_{way}_{n}_{k}", body + main(["f"] * n, f"__VERIFIER_assert(c == {n * k});"),
                       safe or n == 1)
    for n in (2, 3):
        body = ("static int c;\nstatic void __VERIFIER_atomic_add(void) { int s = c; c = s + 1; }\n"
                "static void* f(void* p) { __VERIFIER_atomic_add(); return 0; }\n")
        yield f"counter_function_{n}", body + main(["f"] * n, f"__VERIFIER_assert(c == {n});"), True


def fibonacci():
    """i += j and j += i, n times each: the largest value is that of strict alternation, F(2n + 2)."""
    for n in (1, 2, 3, 4):
        largest = [1, 1]
        while len(largest) < 2 * n + 2:
            largest.append(largest[-1] + largest[-2])
        for limit, safe in ((largest[-1], True), (largest[-1] - 1, False)):
            body = ("static int i = 1, j = 1;\n"
                    f"static void* f(void* p) {{ for (int k = 0; k < {n}; k++) i += j; return 0; }}\n"
                    f"static void* g(void* p) {{ for (int k = 0; k < {n}; k++) j += i; return 0; }}\n")
            yield (f"fibonacci_{n}_{'true' if safe else 'false'}",
                   body + main(["f", "g"], f"__VERIFIER_assert(i <= {limit} && j <= {limit});"), safe)


def triangular():
    """i = j + 1 and j = i + 1, n times each, from 3 and 6: the last of 2n assignments in turn, begun
    with i, gives j = 6 + 2n."""
    for n in (1, 2, 3, 4, 5):
        for limit, safe in ((2 * n + 6, True), (2 * n + 5, False)):
            body = ("static int i = 3, j = 6;\n"
                    f"static void* f(void* p) {{ for (int k = 0; k < {n}; k++) i = j + 1; return 0; }}\n"
                    f"static void* g(void* p) {{ for (int k = 0; k < {n}; k++) j = i + 1; return 0; }}\n")
            yield (f"triangular_{n}_{'true' if safe else 'false'}",
                   body + main(["f", "g"], f"__VERIFIER_assert(i <= {limit} && j <= {limit});"), safe)


def exclusion():
    """Peterson's algorithm and a ticket lock exclude; with tickets taken in two steps, without the turn, without waiting, or with the
    flag raised too late, both threads get in."""
    inside = "in++; __VERIFIER_assert(in == 1); in--;"
    for name, enter, safe in (
            ("peterson", "flag[s] = 1; turn = 1 - s; while (flag[1 - s] && turn == 1 - s);", True),
            ("peterson_late", "turn = 1 - s; while (flag[1 - s] && turn == 1 - s); flag[s] = 1;", False),
            ("peterson_no_wait", "flag[s] = 1; turn = 1 - s;", False),
            ("peterson_own_turn", "flag[s] = 1; turn = s; while (flag[1 - s] && turn == 1 - s);", False)):
        body = ("static int in;\nstatic _Atomic int flag[2], turn;\n"
                f"static void* f(void* p) {{ int s = (int)(long)p; {enter} {inside} flag[s] = 0; return 0; }}\n")
        yield name, body + main(["f", "f"], ""), safe
    for n in (2, 3):
        for kind, safe in (("_Atomic", True), ("volatile", False)):
            body = (f"static int in;\nstatic {kind} int next;\nstatic _Atomic int now;\n"
                    f"static void* f(void* p) {{ int t = next++; while (now != t); {inside} now++; return 0; }}\n")
            yield f"ticket_{n}_{'true' if safe else 'false'}", body + main(["f"] * n, ""), safe


def inputs():
    """A sum of two inputs below a bound reaches each value up to twice the largest, and no other."""
    for bound in (2, 5, 9, 12):
        for target in (0, bound - 1, 2 * bound - 2, 2 * bound - 1):
            body = ("static int sum;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                    f"static void* f(void* p) {{ unsigned char n = __VERIFIER_nondet_uchar(); "
                    f"assume_abort_if_not(n < {bound}); pthread_mutex_lock(&m); sum += n; pthread_mutex_unlock(&m); "
                    "return 0; }\n")
            yield (f"inputs_{bound}_{target}", body + main(["f", "f"], f"__VERIFIER_assert(sum != {target});"),
                   target > 2 * bound - 2)


def buffers():
    """One producer and one consumer with two semaphores keep order; with a place too many a value is
    overwritten before it is read."""
    for size in (1, 2, 3):
        for items in (1, 2, 3, 4):
            for extra in (0, 1):
                body = (f"static int buffer[{size}];\nstatic sem_t full, empty;\n"
                        f"static void* f(void* p) {{ for (int i = 0; i < {items}; i++) {{ sem_wait(&empty); "
                        f"buffer[i % {size}] = i + 1; sem_post(&full); }} return 0; }}\n"
                        f"static void* g(void* p) {{ for (int i = 0; i < {items}; i++) {{ sem_wait(&full); "
                        f"int v = buffer[i % {size}]; __VERIFIER_assert(v == i + 1); sem_post(&empty); }} return 0; }}\n")
                start = f"sem_init(&full, 0, 0); sem_init(&empty, 0, {size + extra});"
                yield f"buffer_{size}_{items}_{extra}", body + main(["f", "g"], "", start), not extra or items <= size


def pairs():
    """A reader under a lock sees both halves of a pair changed or none; a writer that only reads the
    lock lets it see one."""
    for readers in (1, 2, 3):
        for lock, safe in (("wrlock", True), ("rdlock", False)):
            body = ("static int x, y;\nstatic pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n"
                    f"static void* w(void* p) {{ pthread_rwlock_{lock}(&l); x = 1; y = 1; pthread_rwlock_unlock(&l); "
                    "return 0; }\n"
                    "static void* r(void* p) { pthread_rwlock_rdlock(&l); int a = x, b = y; pthread_rwlock_unlock(&l); "
                    "__VERIFIER_assert(a == b); return 0; }\n")
            yield f"pair_{lock}_{readers}", body + main(["w"] + ["r"] * readers, ""), safe


def conditions():
    """Consumers that look again after waking find something; with `if`, one of two that were woken
    for one item does not."""
    for consumers in (1, 2):
        for wait, safe in (("while", True), ("if", consumers == 1)):
            body = ("static int items;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                    "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                    f"static void* g(void* p) {{ pthread_mutex_lock(&m); {wait} (items == 0) pthread_cond_wait(&c, &m); "
                    "items--; __VERIFIER_assert(items >= 0); pthread_mutex_unlock(&m); return 0; }\n"
                    f"static void* f(void* p) {{ for (int i = 0; i < {consumers}; i++) {{ pthread_mutex_lock(&m); "
                    "items++; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); } return 0; }\n")
            # The first item is taken by whoever comes between the broadcast and the woken thread.
            yield f"condition_{wait}_{consumers}", body + main(["g"] * consumers + ["f"], ""), safe


def lists():
    """Nodes pushed under a lock are all there at the end; without it one can be lost."""
    for n in (1, 2, 3):
        for locked in (True, False):
            lock, unlock = ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);") if locked else ("", "")
            body = ("struct node { int value; struct node* next; };\nstatic struct node* head;\n"
                    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                    "static void* f(void* p) { struct node* n = malloc(sizeof *n); n->value = (int)(long)p; "
                    f"{lock} n->next = head; head = n; {unlock} return 0; }}\n")
            check = ("int count = 0; for (struct node* n = head; n; n = n->next) count++; "
                     f"__VERIFIER_assert(count == {n});")
            yield f"list_{n}_{'locked' if locked else 'plain'}", body + main(["f"] * n, check), locked or n == 1


FAMILIES = (counters, fibonacci, triangular, exclusion, inputs, buffers, pairs, conditions, lists)


def tasks():
    for family in FAMILIES:
        for name, text, safe in family():
            yield name, HEAD + text, safe
