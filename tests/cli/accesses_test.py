#!/usr/bin/env python3
"""The accesses that a finding is about: one finding for one statement, rows of the step table."""
import json
import unittest

from command import CommandTest

COUNTER = """
#include <pthread.h>
int hits, other;
static void* worker(void* p) {
  hits++;
  return p;
}
static void* both(void* p) {
  hits++; other++;
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, WORK, NULL);
  pthread_create(&b, NULL, WORK, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""

SESSION = """
#include <mutex>
#include <thread>
struct Session { long id = 7; int users = 0; };
std::mutex m;
Session* current;
void closer() {
  std::lock_guard<std::mutex> guard(m);
  delete current;
  CLEAR;
}
int main() {
  current = new Session;
  Session* mine = current;
  std::thread t(closer);
  {
    std::lock_guard<std::mutex> guard(m);
    mine->users = 3;
  }
  t.join();
}
"""

FREE_RACES = """
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
int* shared;
static void* reader(void* p) { return *shared == 5 ? p : NULL; }
int main(void) {
  shared = malloc(sizeof *shared);
  *shared = 5;
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  sched_yield();
  free(shared);
  pthread_join(t, NULL);
}
"""

TWICE = """
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char* buffer;
static void* release(void* p) {
  pthread_mutex_lock(&m);
  free(buffer);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  buffer = malloc(16);
  pthread_create(&t, NULL, release, NULL);
  release(NULL);
  pthread_join(t, NULL);
}
"""


# One line of the program, many accesses in the library, to many parts of one variable.
CONTAINERS = """
#include <map>
#include <string>
#include <thread>
#include <vector>
std::vector<int> values;
std::map<std::string, int> ages;
std::vector<int> slots(4);
struct Empty {};
struct Account : Empty { int id, balance; } account;
int main() {
  std::thread a([] { FIRST; });
  SECOND;
  a.join();
}
"""

NAMED_BLOCKS = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int* items;
atomic_int used;
static void* put(void* p) {
  if (atomic_load(&used) < 2) items[atomic_fetch_add(&used, 1)] = 7;
  return p;
}
int main(void) {
  pthread_t a, b;
  items = malloc(2 * sizeof *items);
  pthread_create(&a, NULL, put, NULL);
  pthread_create(&b, NULL, put, NULL);
  put(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(items);
}
"""

LEAK = """
#include <atomic>
#include <thread>
struct Node { int value; };
std::atomic<Node*> last;
static void make() {
  if (!last.load()) last.store(new Node{1});
}
int main() {
  std::thread a(make), b(make);
  a.join();
  b.join();
  delete last.load();
}
"""

LAMBDAS = """
#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex m;
int items = 1;
static bool empty() { std::lock_guard<std::mutex> guard(m); return items == 0; }
static void take() { std::lock_guard<std::mutex> guard(m); if (items-- == 0) abort(); }
int main() {
  std::thread t([] { WORK; });
  if (!empty()) take();
  t.join();
}
"""

NOT_JOINED = """
#include <thread>
int main() { std::thread t([] {}); }
"""


def row_with(text, words):
    """The line of the step table that says this."""
    return next((line for line in text.splitlines() if words in line and "│" in line), "")


class Accesses(CommandTest):
    def check(self, source, *options, cxx=False):
        name = self.file("program.cc" if cxx else "program.c", source)
        done = self.heddle("check", name, "--output=json:report.json", *options)
        self.status(done, 1)
        return done.stdout, json.loads((self.directory / "report.json").read_text())["findings"]

    def test_a_statement_that_reads_and_writes_races_once(self):
        text, findings = self.check(COUNTER, "-DWORK=worker", "--keep-going")
        self.assertEqual(len(findings), 1)
        self.assertIn("fail: 1 bug found", text)
        self.assertFalse((self.directory / "program.2.heddle-trace").exists())

    def test_two_variables_on_one_line_are_two(self):
        _, findings = self.check(COUNTER, "-DWORK=both", "--keep-going")
        self.assertEqual({f["object"] for f in findings}, {"hits", "other"})
        self.assertEqual(len(findings), 2)

    def test_racing_accesses_are_rows_with_values(self):
        text, (finding,) = self.check(COUNTER, "-DWORK=worker")
        earlier, later = finding["accesses"]
        self.assertEqual((earlier["description"], earlier["value"]), ("writes hits = 1", 1))
        self.assertEqual((later["description"], later["value"]), ("reads hits = 1", 1))
        self.assertLess(earlier["step"], later["step"])
        self.assertEqual(finding["cause"]["steps"], [earlier["step"], later["step"]])
        for access in (earlier, later):
            self.assertIn("!", row_with(text, access["description"]))
        told = self.heddle("explain", "program.1.heddle-trace").stdout
        self.assertIn("writes hits = 1 (program.c:5, racing access)", told)

    def test_where_accesses_are_steps_these_are_marked(self):
        text, (finding,) = self.check(COUNTER, "-DWORK=worker", "--visible=all")
        self.assertEqual(finding["accesses"], [])
        self.assertIn("!", row_with(text, "reads hits = 1"))
        self.assertIn("!", row_with(text, "writes hits = 1"))

    def test_freed_memory_has_its_pointers_name(self):
        for clear in ("", "current = nullptr"):
            text, (finding,) = self.check(SESSION, f"-DCLEAR={clear}", cxx=True)
            self.assertEqual(finding["kind"], "use-after-free")
            self.assertEqual([a["mark"] for a in finding["accesses"]], ["free", "bad access"])
            self.assertIn("frees *current", finding["accesses"][0]["description"])
            self.assertIn("writes current->users", finding["accesses"][1]["description"])
            self.assertIn("(current->users)", finding["message"])
            self.assertIn("frees *current at program.cc:9 before thread 0",
                          finding["cause"]["sentence"])
            self.assertNotIn("#1", finding["message"])
            self.assertIn("!", row_with(text, "frees *current"))

    def test_a_container_is_one_variable(self):
        for name, first, second in (("values", "values.push_back(1)", "values.push_back(2)"),
                                    ("ages", 'ages["Ada"] = 36', 'ages["Bob"] = 20')):
            text, (finding,) = self.check(CONTAINERS, f"-DFIRST={first}", f"-DSECOND={second}",
                                          "--keep-going", cxx=True)
            self.assertRegex(finding["object"], rf"^\*?{name}\b")
            self.assertNotIn("abi:", text)
            self.assertTrue(any("writes" in a["description"] for a in finding["accesses"]), text)

    def test_parts_have_names(self):
        for access, name in (("slots[2] = 1", "slots[2]"), ("account.balance = 1", "account.balance")):
            _, (finding,) = self.check(CONTAINERS, f"-DFIRST={access}", f"-DSECOND={access}", cxx=True)
            self.assertEqual(finding["object"], name)

    def test_what_lies_behind_the_end_of_a_block_has_a_name(self):
        _, (finding,) = self.check(NAMED_BLOCKS)
        self.assertEqual(finding["kind"], "out-of-bounds")
        self.assertIn("writes 4 bytes (items[2])", finding["message"])
        self.assertEqual(finding["accesses"][-1]["description"], "writes items[2]")

    def test_a_block_that_is_freed_twice_has_a_name(self):
        _, (finding,) = self.check(TWICE)
        self.assertEqual(finding["message"], "double free of a heap block (*buffer)")

    def test_a_line_leaks_once_whoever_runs_it(self):
        _, findings = self.check(LEAK, "--keep-going", cxx=True)
        self.assertEqual([f["kind"] for f in findings], ["leak"])

    def test_a_lambda_is_called_by_what_it_calls_if_that_is_one_function(self):
        for work, name in (("take()", '"take"'), ("if (!empty()) take()", '"lambda"')):
            text, _ = self.check(LAMBDAS, f"-DWORK={work}", cxx=True)
            self.assertIn(f"thread 1 {name}", text)

    def test_a_thread_that_nobody_joined(self):
        _, (finding,) = self.check(NOT_JOINED, cxx=True)
        self.assertIn("neither joined nor detached", finding["message"])

    def test_frames_of_libraries_are_folded(self):
        text, _ = self.check(SESSION, "-DCLEAR=", cxx=True)
        self.assertIn("frames of libraries (--full shows them)", text)
        self.assertNotIn("std::__invoke", text)
        self.assertNotIn("??", text)
        text, _ = self.check(SESSION, "-DCLEAR=", "--full", cxx=True)
        self.assertIn("std::__invoke", text)
        self.assertNotIn("??", text)

    def test_a_free_that_races_is_called_one(self):
        text, findings = self.check(FREE_RACES, "--keep-going")
        race = next(f for f in findings if f["kind"] == "data-race")
        self.assertEqual(len(race["accesses"]), 2)
        self.assertTrue(any(a["description"].startswith("frees *shared") for a in race["accesses"]))
        self.assertIn("frees *shared", text)

    def test_double_free_shows_both(self):
        text, (finding,) = self.check(TWICE)
        self.assertEqual(finding["kind"], "double-free")
        self.assertEqual([a["mark"] for a in finding["accesses"]], ["free", "bad access"])
        self.assertIn("frees *buffer again", finding["cause"]["sentence"])
        self.assertEqual(text.count("frees *buffer "), 2 + 2)


if __name__ == "__main__":
    unittest.main()
