"""Runs the built heddle for the tests of the command line. HEDDLE names the program."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import capped  # noqa: E402

HEDDLE = os.path.abspath(os.environ.get("HEDDLE", "build/src/cli/heddle"))

DEADLOCK = """
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
void* work(void* p) {
  pthread_mutex_lock(&y);
  printf("one execution printed this\\n");
  pthread_mutex_lock(&x);
  pthread_mutex_unlock(&x);
  pthread_mutex_unlock(&y);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&x);
  pthread_mutex_lock(&y);
  pthread_mutex_unlock(&y);
  pthread_mutex_unlock(&x);
  pthread_join(t, NULL);
  return 0;
}
"""

CORRECT = """
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void* work(void* p) {
  pthread_mutex_lock(&m);
  puts("never shown");
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
"""

# Far more schedules than anybody can wait for.
ENDLESS = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int rounds;
void* work(void* p) {
  for (int i = 0; i < 20; ++i) {
    pthread_mutex_lock(&m);
    ++rounds;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  return 0;
}
"""


class CommandTest(unittest.TestCase):
    """Each test has a directory of its own and runs heddle in it."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="heddle-cli-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def file(self, name, contents="", mode=0o644):
        path = self.directory / name
        if isinstance(contents, str):
            contents = contents.encode()
        path.write_bytes(contents)
        path.chmod(mode)
        return str(path)

    def compile(self, *words):
        subprocess.run(words, cwd=self.directory, check=True, capture_output=True)

    def heddle(self, *words, **options):
        return capped.run([HEDDLE, *map(str, words)], cwd=self.directory, timeout=60, **options)

    def status(self, done, expected):
        self.assertEqual(done.returncode, expected,
                         f"{done.args}\nstdout: {done.stdout}\nstderr: {done.stderr}")
