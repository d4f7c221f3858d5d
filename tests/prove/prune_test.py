#!/usr/bin/env python3
"""`heddle cc --prune-local`: what no other thread can notice is left out, and nothing else.

    prune_test.py HEDDLE [NUMBER [FIRST_SEED]]

Programs in which threads come to each other's memory in devious ways must still show their races;
random programs must have the same ends as without it, in no more steps.
"""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import random_test

HEAD = """#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
static int shared, other;
"""
MAIN = """
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
"""
RACES = {
    "a variable": """
static void* first(void* p) { shared = 1; return p; }
static void* second(void* p) { shared = 2; return p; }""" + MAIN,
    "through a function that both call": """
static void add(int* to) { ++*to; }
static void* first(void* p) { int mine = 0; add(&mine); add(&shared); return p; }
static void* second(void* p) { add(&shared); return p; }""" + MAIN,
    "a local variable of main": """
static void* first(void* p) { ++*(int*)p; return p; }
int main(void) {
  pthread_t one;
  int mine = 0;
  pthread_create(&one, NULL, first, &mine);
  ++mine;
  pthread_join(one, NULL);
  return mine == 7;
}""",
    "a local variable that a global record leads to": """
static struct box { struct box* next; int* value; } box;
static pthread_barrier_t met;
static void* first(void* p) {
  int mine = 0;
  struct box inner = {NULL, &mine};
  box.next = &inner;
  pthread_barrier_wait(&met);
  ++mine;
  pthread_barrier_wait(&met);
  return p;
}
static void* second(void* p) {
  pthread_barrier_wait(&met);
  ++*box.next->value;
  pthread_barrier_wait(&met);
  return p;
}
__attribute__((constructor)) static void set(void) { pthread_barrier_init(&met, NULL, 2); }
""" + MAIN,
    "the same routine, started in a loop": """
static void* first(void* p) { ++shared; return p; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, first, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}""",
    "the same routine, started by a function that is called twice": """
static void* first(void* p) { ++shared; return p; }
static pthread_t start(void) { pthread_t t; pthread_create(&t, NULL, first, NULL); return t; }
int main(void) {
  pthread_t one = start(), two = start();
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}""",
    "a start routine by a pointer": """
static void* first(void* p) { ++shared; return p; }
static void* second(void* p) { ++other; return p; }
static void* (*table[2])(void*) = {first, second};
int main(int count, char** words) {
  pthread_t one;
  pthread_create(&one, NULL, table[count > 1], words);
  ++shared;
  pthread_join(one, NULL);
  return 0;
}""",
    "a function that the library calls": """
static int compare(const void* a, const void* b) { ++shared; return *(int*)a - *(int*)b; }
static void* first(void* p) { int list[2] = {2, 1}; qsort(list, 2, sizeof *list, compare); return p; }
static void* second(void* p) { shared = 5; return p; }""" + MAIN,
    "a member of a local variable of main": """
struct pair { int first, second; };
static void* first(void* p) { ++((struct pair*)p)->second; return p; }
int main(void) {
  pthread_t one;
  struct pair mine = {0, 0};
  pthread_create(&one, NULL, first, &mine);
  ++mine.second;
  pthread_join(one, NULL);
  return 0;
}""",
    "what the library kept": """
static int compare(const void* a, const void* b) { return *(char*)a - *(char*)b; }
static void* root;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t met;
struct item { char key; int value; };
static void* first(void* p) {
  struct item mine = {'k', 0};
  pthread_mutex_lock(&mutex);
  tsearch(&mine, &root, compare);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&met);
  ++mine.value;
  pthread_barrier_wait(&met);
  return p;
}
static void* second(void* p) {
  struct item key = {'k', 0};
  pthread_barrier_wait(&met);
  pthread_mutex_lock(&mutex);
  struct item** found = tfind(&key, &root, compare);
  pthread_mutex_unlock(&mutex);
  ++(*found)->value;
  pthread_barrier_wait(&met);
  return p;
}
__attribute__((constructor)) static void set(void) { pthread_barrier_init(&met, NULL, 2); }
""" + MAIN,
}
OWN = HEAD + """
#include <assert.h>
static int config[4] = {1, 2, 3, 4}, of_main, of_worker;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void sum(int* to, const int* from) { for (int i = 0; i < 4; ++i) *to += from[i]; }
static void* first(void* p) {
  for (int i = 0; i < 3; ++i) of_worker += i;
  pthread_mutex_lock(&mutex);
  shared += of_worker;
  pthread_mutex_unlock(&mutex);
  return p;
}
static void* second(void* p) {
  int mine = 0;
  sum(&mine, config);
  pthread_mutex_lock(&mutex);
  shared += mine;
  pthread_mutex_unlock(&mutex);
  return p;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  for (int i = 0; i < 4; ++i) of_main += config[i];
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(shared == 13);
  return of_main - 10;
}
"""


def check(heddle, top, program, *words):
    done = subprocess.run([heddle, "check", program, "--visible=all", "--strategy=optimal-dpor", "--leaks=off", "--json",
                           *words], capture_output=True, text=True, cwd=top, timeout=300)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{words}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def both(heddle, text, *words):
    """The reports on a program without and with --prune-local."""
    with tempfile.TemporaryDirectory() as top:
        (Path(top) / "p.c").write_text(text)
        reports = []
        for way in ([], ["--prune-local"]):
            done = subprocess.run([heddle, "cc", *way, "-O0", "-pthread", "p.c", "-o", "p"], capture_output=True,
                                  text=True, cwd=top, timeout=120)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
            reports.append(check(heddle, top, "./p", *words))
        return reports


def complain_about_race(heddle, name):
    _, pruned = both(heddle, HEAD + RACES[name])
    kinds = [f["kind"] for f in pruned["findings"]]
    return "" if kinds == ["data-race"] else f"{name}: the race is lost, {pruned['verdict']} {kinds}"


def complain_about_random(heddle, seed):
    whole, pruned = both(heddle, random_test.Generator(seed).source(), "--races=off", "--keep-going",
                         "--blocked-at-exit=off", "--memory=off", "--max-executions=3000", "--minimise=0")
    if "exhausted" not in (whole["end_reason"], pruned["end_reason"]):
        return ""
    if whole["end_reason"] == "exhausted" and pruned["end_reason"] != "exhausted":
        return f"seed {seed}: more executions than without"
    if whole["end_reason"] != "exhausted":
        return ""
    if random_test.ends(whole) != random_test.ends(pruned):
        return f"seed {seed}: {random_test.ends(whole) ^ random_test.ends(pruned)}"
    if pruned["events"] > whole["events"]:
        return f"seed {seed}: {pruned['events']} steps, without it {whole['events']}"
    return ""


def complain_about_own(heddle):
    whole, pruned = both(heddle, OWN)
    complaints = []
    if (whole["verdict"], pruned["verdict"]) != ("pass", "pass"):
        complaints.append(f"own: {whole['verdict']}, {pruned['verdict']}")
    # Of each execution the steps on synchronisation and `shared` are left.
    if pruned["events"] * 3 > whole["events"] * 2:
        complaints.append(f"own: {pruned['events']} steps of {whole['events']} are left")
    return "\n".join(complaints)


def complain_about_command(heddle):
    with tempfile.TemporaryDirectory() as top:
        (Path(top) / "p.c").write_text(OWN)
        done = subprocess.run([heddle, "cc", "--prune-local", "-c", "p.c"], capture_output=True, text=True, cwd=top)
        if done.returncode != 2 or "whole program in one command" not in done.stderr:
            return f"-c: status {done.returncode}: {done.stderr}"
    return ""


def main():
    heddle = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with ThreadPoolExecutor(2) as pool:
        work = [pool.submit(complain_about_race, heddle, name) for name in RACES]
        work += [pool.submit(complain_about_random, heddle, seed) for seed in range(first, first + number)]
        work += [pool.submit(complain_about_own, heddle), pool.submit(complain_about_command, heddle)]
        complaints = [w.result() for w in work if w.result()]
    print("\n".join(complaints))
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
