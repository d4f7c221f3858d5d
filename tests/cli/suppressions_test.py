"""Suppressed races do not count, do not end the search and do not stop it from finding others."""
import json
import unittest

from command import CommandTest

RACES = """
#include <pthread.h>
int statistics, balance;
void count(void) { statistics++; }
void deposit(void) { balance++; }
void* work(void* p) {
  count();
#ifdef TWO
  deposit();
#endif
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return statistics + balance == 0;
}
"""


LOCKS = """
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void both(pthread_mutex_t* x, pthread_mutex_t* y) {
  pthread_mutex_lock(x); pthread_mutex_lock(y);
  pthread_mutex_unlock(y); pthread_mutex_unlock(x);
}
void careless(void) {
#ifdef UNLOCKS
  pthread_mutex_unlock(&a);
#endif
}
void* work(void* p) { both(&b, &a); return p; }
int main(void) {
  pthread_t t;
  careless();
  pthread_create(&t, NULL, work, NULL);
  both(&a, &b);
  pthread_join(t, NULL);
  return 0;
}
"""


class Suppressions(CommandTest):
    def test_locks(self):
        def kinds(rules, *options):
            done = self.heddle("check", "--json", "--strategy=dfs", "--keep-going", "-fno-inline", *options,
                               "--suppressions=" + self.file("known.txt", rules), self.file("locks.c", LOCKS))
            return {finding["kind"] for finding in json.loads(done.stdout)["findings"]}
        self.assertEqual(kinds("race:both\nmutex:both\n"), {"deadlock"})
        self.assertEqual(kinds("deadlock:both\n"), set())
        done = self.heddle("check", "locks.c", "-fno-inline", "--suppressions=known.txt")
        self.assertIn("note: 1 finding was suppressed by known.txt", done.stdout)  # not a race
        self.assertEqual(kinds("deadlock:careless\n"), {"deadlock"})
        self.assertEqual(kinds("deadlock:both\n", "-DUNLOCKS"), {"mutex-misuse"})
        self.assertEqual(kinds("deadlock:both\nmutex:careless\n", "-DUNLOCKS"), set())

    def check(self, rules, *options):
        done = self.heddle("check", "--json", "--strategy=dfs", "-fno-inline", *options,
                           "--suppressions=" + self.file("known.txt", rules),
                           self.file("races.c", RACES))
        return done, json.loads(done.stdout)

    def test_one_race(self):
        for rules in ("race:count\n", "race_top:^count$\n", "race:statistics", "race:races.c\n",
                      "# known\n\nrace:c*t\nmutex:x\n"):
            done, document = self.check(rules)
            self.status(done, 0)
            self.assertIn("suppressed", " ".join(document["notes"]))

    def test_isolation(self):
        self.status(self.check("race:count\n", "--isolation=fork")[0], 0)

    def test_others_are_reported(self):
        for rules in ("", "race:deposit\n", "race_top:work\n"):
            done, document = self.check(rules)
            self.status(done, 1)
            self.assertEqual(document["findings"][0]["object"], "statistics")
        done, document = self.check("race:count\n", "-DTWO")
        self.status(done, 1)
        self.assertEqual({f["object"] for f in document["findings"]}, {"balance"})

    def test_mistakes(self):
        program = self.file("races.c", RACES)
        done = self.heddle("check", "--suppressions=nowhere.txt", program)
        self.status(done, 2)
        self.assertIn("nowhere.txt", done.stderr)
        self.status(self.heddle("check", f"--suppressions={self.directory}", program), 2)
        done = self.heddle("check", "--suppressions=" + self.file("bad.txt", "rce:x\n"), program)
        self.status(done, 2)
        self.assertIn("bad.txt:1", done.stderr)


if __name__ == "__main__":
    unittest.main()
