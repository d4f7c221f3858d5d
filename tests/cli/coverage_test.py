"""check --coverage and heddle plot."""
import csv
import json
import unittest
import xml.etree.ElementTree as ElementTree

from command import CommandTest

TWO_COUNTERS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared;
static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) shared = shared + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""

# Its race makes no difference but for the order of the two steps.
RACE = """
#include <pthread.h>
static int shared;
static void* work(void* unused) {
  shared = 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


class Coverage(CommandTest):
    def counted(self, name, *options, program=TWO_COUNTERS, status=0):
        """The rows of a search, and its report."""
        self.file("program.c", program)
        self.status(self.heddle("cc", "program.c", "-o", "program"), 0)
        done = self.heddle("check", "--json", f"--coverage={name}", *options, "./program")
        self.status(done, status)
        with open(f"{self.directory}/{name}") as file:
            rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(file)]
        return rows, json.loads(done.stdout)

    def test_counts(self):
        dfs, report = self.counted("dfs.csv", "--strategy=dfs")
        optimal, reduced = self.counted("optimal.csv", "--strategy=optimal-dpor")
        self.assertEqual(dfs[-1]["executions"], report["executions"])
        self.assertEqual(optimal[-1]["executions"], reduced["executions"])
        self.assertEqual(optimal[-1]["terminal_states"], reduced["executions"])
        self.assertEqual(dfs[-1]["terminal_states"], reduced["executions"])
        for rows in (dfs, optimal):
            for before, after in zip(rows, rows[1:]):
                self.assertLess(before["executions"], after["executions"])
                self.assertLessEqual(before["states"], after["states"])
        self.assertEqual({row["bound"] for row in dfs}, {-1})

    def test_isolations_agree(self):
        options = ("--strategy=icb", "--bound=1")
        reset, _ = self.counted("reset.csv", *options)
        fork, _ = self.counted("fork.csv", "--isolation=fork", *options)
        self.assertEqual(reset, fork)
        self.assertEqual({row["bound"] for row in reset}, {0, 1})

    def test_goes_on_where_races_become_steps(self):
        rows, report = self.counted("races.csv", "--races=explore", "--strategy=dfs", program=RACE,
                                    status=1)
        self.assertGreater(report["executions"], 1)
        self.assertEqual([row["executions"] for row in rows], list(range(1, len(rows) + 1)))
        self.assertGreater(rows[-1]["states"], rows[0]["states"])
        self.assertGreater(rows[-1]["terminal_states"], 1)

    def test_plots(self):
        self.counted("icb.csv", "--strategy=icb")
        self.counted("dfs.csv", "--strategy=dfs")
        for words in (["icb.csv", "dfs.csv", "--log-x", "--log-y"], ["icb.csv", "--by=bound"],
                      ["dfs.csv", "--count=ends", "--title=a < b"]):
            done = self.heddle("plot", *words)
            self.status(done, 0)
            svg = ElementTree.fromstring(done.stdout)
            lines = [e for e in svg.iter() if e.tag.endswith("polyline")]
            self.assertEqual(len(lines), sum(w.endswith(".csv") for w in words))
        self.status(self.heddle("plot", "icb.csv", "-o", "out.svg"), 0)
        ElementTree.parse(f"{self.directory}/out.svg")

    def refused(self, *words, says):
        done = self.heddle(*words)
        self.status(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_mistakes(self):
        self.counted("dfs.csv", "--strategy=dfs")
        self.refused("plot", says="name one or more files")
        self.refused("plot", "nowhere.csv", says="cannot read nowhere.csv")
        self.refused("plot", self.directory, says="is not a coverage file")
        self.refused("plot", "program.c", says="is not a coverage file")
        self.refused("plot", "dfs.csv", "--by=bound", says="without bounds")
        self.refused("plot", "dfs.csv", "--by=time", says="--by=time")
        self.refused("plot", "dfs.csv", "-o", says="-o needs")
        self.refused("plot", "dfs.csv", "-o", "no/where.svg", says="cannot write no/where.svg")
        self.file("empty.csv", "executions,bound,states,terminal_states\n")
        self.refused("plot", "empty.csv", says="no rows")
        self.file("broken.csv", "executions,bound,states,terminal_states\n1,2,3\n")
        self.refused("plot", "broken.csv", says="line 2 of broken.csv")
        self.refused("check", "--coverage=no/where.csv", "./program", says="cannot write")
        self.refused("check", "--coverage=", "./program", says="--coverage")


if __name__ == "__main__":
    unittest.main()
