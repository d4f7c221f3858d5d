#!/usr/bin/env python3
"""Programs of several modules: libraries that are linked, and opened while the program runs.

    modules_test.py HEDDLE
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Its state must be fresh in every execution: the constructor runs again each time it is opened.
PLUGIN = r"""
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int constructed, calls;
static pthread_t helper;

static void* help(void* unused) {
  pthread_mutex_lock(&mutex);
  ++calls;
  pthread_mutex_unlock(&mutex);
  return unused;
}

__attribute__((constructor)) static void construct(void) {
  assert(constructed == 0);
  ++constructed;
#ifdef THREAD_IN_CONSTRUCTOR
  pthread_create(&helper, NULL, help, NULL);
#endif
}

void start(void) {
  assert(constructed == 1 && calls == 0);
  pthread_create(&helper, NULL, help, NULL);
}

void call(void) {
#ifndef RACE
  pthread_mutex_lock(&mutex);
#endif
  ++calls;
#ifndef RACE
  pthread_mutex_unlock(&mutex);
#endif
}

int finish(void) {
  pthread_join(helper, NULL);
  return calls;
}
"""

OPENS = r"""
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void* library;

static void* opener(void* path) {
  library = dlopen(path, RTLD_NOW);
  assert(library != NULL);
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t thread;
  pthread_create(&thread, NULL, opener, arguments[count - 1]);
  pthread_join(thread, NULL);
  void (*start)(void) = (void (*)(void))dlsym(library, "start");
  void (*call)(void) = (void (*)(void))dlsym(library, "call");
  int (*finish)(void) = (int (*)(void))dlsym(library, "finish");
  assert(start != NULL && call != NULL && finish != NULL);
#ifndef STARTED
  start();
#endif
  call();
  const int calls = finish();
#ifdef WRONG
  assert(calls == 1);
#else
  assert(calls == 2);
#endif
  assert(dlclose(library) == 0);
}
"""

LINKED = r"""
#include <assert.h>
void start(void);
void call(void);
int finish(void);
int main(void) {
  start();
  call();
  assert(finish() == 2);
}
"""


class Test:
    def __init__(self, heddle, top):
        self.heddle, self.top, self.failures = heddle, Path(top), []
        for name, text in (("plugin.c", PLUGIN), ("opens.c", OPENS), ("linked.c", LINKED)):
            (self.top / name).write_text(text)

    def compile(self, *words):
        subprocess.run([self.heddle, "cc", "-g", *words], cwd=self.top, check=True, timeout=60)

    def check(self, what, status, text, *words):
        done = subprocess.run([self.heddle, "check", "--json", "--strategy=dfs", *words], cwd=self.top,
                              capture_output=True, text=True, timeout=120)
        if done.returncode != status or text not in done.stdout + done.stderr:
            self.failures.append(f"{what}: status {done.returncode}, expected {status} with {text!r}\n"
                                 f"{done.stdout[-2500:]}{done.stderr[-1500:]}")
            return
        if status != 1:
            return
        trace = json.loads(done.stdout)["findings"][0]["trace_file"]
        again = subprocess.run([self.heddle, "replay", trace], cwd=self.top, capture_output=True,
                               text=True, timeout=60)
        if again.returncode != 1:
            self.failures.append(f"{what}, replay: {again.stdout[-1500:]}{again.stderr[-500:]}")


def main():
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as top:
        test = Test(os.path.abspath(sys.argv[1]), top)
        plugin, racy, eager = (f"{top}/{name}.so" for name in ("plugin", "racy", "eager"))
        shared = ["-shared", "-fPIC", "plugin.c", "-o"]
        test.compile(*shared, plugin)
        test.compile("-DRACE", *shared, racy)
        test.compile("-DTHREAD_IN_CONSTRUCTOR", *shared, eager)
        test.compile("opens.c", "-o", "opens")
        test.compile("-DWRONG", "opens.c", "-o", "wrong")
        test.compile("-DSTARTED", "opens.c", "-o", "started")
        test.compile("linked.c", plugin, f"-Wl,-rpath,{top}", "-o", "linked")
        test.compile("linked.c", eager, f"-Wl,-rpath,{top}", "-o", "early")
        test.check("opened", 0, '"pass"', "./opens", "--", plugin)
        test.check("opened, each in a process", 0, '"pass"', "--isolation=fork", "./opens", "--", plugin)
        test.check("opened, and wrong", 1, "assertion", "./wrong", "--", plugin)
        test.check("opened, with a race", 1, "data-race", "./opens", "--", racy)
        test.check("a thread in the constructor of what is opened", 0, '"pass"', "./started", "--", eager)
        test.check("linked", 0, '"pass"', "./linked")
        test.check("a thread in the constructor of what is linked", 2, "constructor", "./early")
        print("\n".join(test.failures) or "modules work")
        return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
