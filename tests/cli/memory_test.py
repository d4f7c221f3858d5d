#!/usr/bin/env python3
"""A search ends at its limit of memory, whoever takes the memory, and loses nothing it has found."""
import json
import unittest

from command import ENDLESS, CommandTest

# Finds the bug in its first execution and then goes on for ever, keeping every state.
BUGGY = ENDLESS.replace("int main(void) {", "#include <assert.h>\nint main(void) {").replace(
    "  return 0;", "  assert(rounds == 0);\n  return 0;")

# An execution in which the second thread comes first takes memory without end.
HUNGRY = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int first;
void* work(void* p) {
  pthread_mutex_lock(&m);
  if (first == 0) first = p != NULL ? 2 : 1;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, &m);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  while (first == 2) memset(malloc(1 << 20), 1, 1 << 20);
  assert(!FAILS);
  return 0;
}
"""
SENTENCE = "the search took more memory than it may, 96 MB; --memory-limit=SIZE gives it another limit"


class Memory(CommandTest):
    def check(self, *words):
        done = self.heddle("check", *words, "--json")
        return done, json.loads(done.stdout)

    def test_the_states_of_a_search_are_limited(self):
        for options in ("--strategy=dfs --filter=seen", "--strategy=cb-por-1"):
            done, result = self.check(self.file("endless.c", ENDLESS), *options.split(),
                                      "--races=off", "--memory-limit=96")
            self.status(done, 3)
            self.assertEqual(result["end_reason"], "memory limit")
            self.assertIn(SENTENCE, result["notes"])
            self.assertGreater(result["executions"], 100)

    def test_what_was_found_before_is_reported(self):
        done, result = self.check(self.file("buggy.c", BUGGY), "--strategy=cb-por-1", "--races=off",
                                  "--keep-going", "--memory-limit=96M")
        self.status(done, 1)
        self.assertEqual(result["end_reason"], "memory limit")
        self.assertEqual([finding["kind"] for finding in result["findings"]], ["assertion"])
        self.assertGreater(result["findings"][0]["steps"], 10)

    def test_a_program_that_takes_all_memory_ends_the_search(self):
        for isolation in ("reset", "fork"):
            for fails in (0, 1):
                done, result = self.check(self.file("hungry.c", HUNGRY), f"-DFAILS={fails}",
                                          f"--isolation={isolation}", "--strategy=dfs", "--leaks=off",
                                          "--keep-going", "--memory-limit=96M")
                self.status(done, 1 if fails else 3)
                self.assertEqual(result["end_reason"], "memory limit")
                self.assertIn(SENTENCE, result["notes"])
                self.assertEqual(len(result["findings"]), fails)
                self.assertFalse([note for note in result["notes"] if "killed" in note])

    def test_a_search_within_its_limit_is_complete(self):
        done, result = self.check(self.file("fine.c", ENDLESS.replace("i < 20", "i < 1")),
                                  "--memory-limit=2G")
        self.status(done, 0)
        self.assertEqual(result["end_reason"], "exhausted")

    def test_sizes_that_are_none_are_refused(self):
        for size in ("0", "-1", "12T", "57G", "M", "1.5G", "99999999999999999999"):
            done = self.heddle("check", self.file("fine.c", ENDLESS), f"--memory-limit={size}")
            self.status(done, 2)
            self.assertIn("memory-limit", done.stderr)
            self.assertIn("megabytes", done.stderr)


if __name__ == "__main__":
    unittest.main()
