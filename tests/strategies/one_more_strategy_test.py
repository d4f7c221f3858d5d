#!/usr/bin/env python3
"""A strategy is one file and one row: a Heddle with one more of them lists it everywhere and runs it.

    one_more_strategy_test.py HEDDLE-WITH-ONE-MORE ITS-LIBRARY HEDDLE
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NAME, WHAT = "one-by-one", "threads to their end, one by one"
PROGRAM = r"""
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* p) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return p;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  return pthread_join(thread, NULL);
}
"""
WITH = LIBRARY = WITHOUT = None


def run(heddle, *words, folder=None):
    environment = {**os.environ, "HEDDLE_LIBRARY": LIBRARY} if heddle == WITH else None
    return subprocess.run([heddle, *words], capture_output=True, text=True, timeout=120, cwd=folder,
                          env=environment)


class OneMoreStrategy(unittest.TestCase):
    def only_with(self, wanted, *words):
        """Both of them print something, and only the one with the strategy what is wanted."""
        with_it, without = (run(heddle, *words) for heddle in (WITH, WITHOUT))
        self.assertIn(wanted, with_it.stdout + with_it.stderr, words)
        self.assertNotEqual(without.stdout + without.stderr, "")
        self.assertNotIn(wanted, without.stdout + without.stderr, words)

    def test_lists(self):
        self.only_with(WHAT, "strategies")
        self.only_with(NAME, "check", "--strategy=nothing-like-it", "program")

    def test_man_page(self):
        self.only_with(NAME, "strategies", "--mdoc")
        self.only_with(WHAT, "strategies", "--mdoc")

    def test_completions(self):
        for shell in ("bash", "zsh", "fish"):
            self.only_with(NAME, "completion", shell)

    def test_suggestion(self):
        self.only_with(f"did you mean {NAME}?", "check", "--strategy=one-by-won", "program")

    def test_properties_of_its_row(self):
        self.only_with(NAME, "check", "--strategy=dfs", "--bound=1", "program")  # who takes a bound
        self.only_with(NAME, "check", "--strategy=random", "--bound=1", "program")

    def test_it_runs(self):
        with tempfile.TemporaryDirectory(prefix="heddle-test-") as folder:
            (Path(folder) / "program.c").write_text(PROGRAM)
            done = run(WITH, "check", "program.c", f"--strategy={NAME}", "--json", "--max-executions=3",
                       folder=folder)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["strategy"], report["executions"]), (NAME, 3))
            self.assertIn("one by one", report["guarantee"])


if __name__ == "__main__":
    WITH, LIBRARY, WITHOUT = (str(Path(word).resolve()) for word in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
