#!/usr/bin/env python3
"""Searches in several processes: what is reported is the same for each number of them, also when
some are killed on the way.

    jobs_test.py HEDDLE [SEED]

The number of classes is known: two threads that change one variable N times each have C(2N, N).
"""
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* change(void* factor) {
  for (int i = 0; i < N; i++) {
    const int before = atomic_fetch_add(&x, factor != 0 ? 1 << i : 1 << (N + i));
#ifdef BUG
    if (factor == 0 && i == 0) assert(before != (1 << N) - 1);  // the last that a search tries
#else
    (void)before;
#endif
  }
  return factor;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, change, &x);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


def children_of(process):
    try:
        return [int(child) for child in
                Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.source = Path(cls.folder.name) / "adds.c"
        cls.source.write_text(PROGRAM)
        cls.most_at_once = 0

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, *options, kills=0):
        """The report as JSON; meanwhile some of the processes that search are killed."""
        dice = random.Random(SEED)
        with tempfile.TemporaryFile("w+") as out:
            run = subprocess.Popen([HEDDLE, "check", str(self.source), "--json", *options],
                                   stdout=out, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder.name)
            killed = 0
            while run.poll() is None:
                searching = children_of(run.pid)
                self.most_at_once = max(self.most_at_once, len(searching))
                if len(searching) > 1 and killed < kills:
                    os.kill(dice.choice(searching), signal.SIGKILL)
                    killed += 1
                try:
                    run.wait(0.05)
                except subprocess.TimeoutExpired:
                    pass
            out.seek(0)
            report = json.loads(out.read())
            run.stderr.close()
        return report

    def same(self, options, *others, keys=("verdict", "executions", "events", "guarantee", "bound")):
        one = self.check(*options)
        for other, kills in others:
            report = self.check(*options, *other, kills=kills)
            for key in keys:
                self.assertEqual(report[key], one[key], f"{options} {other}, seed {SEED}: {key}")
        return one

    def test_classes(self):
        one = self.same(["--strategy=optimal-dpor", "-DN=11"], (["-j3"], 1),
                        keys=("verdict", "executions", "guarantee"))
        self.assertEqual(one["executions"], math.comb(22, 11))
        self.assertEqual(one["verdict"], "pass")
        self.assertGreater(self.most_at_once, 1)

    def test_enumerations(self):
        one = self.same(["--strategy=dfs", "-DN=8"], (["-j", "3"], 1))
        self.assertEqual(one["verdict"], "pass")
        self.same(["--strategy=icb", "--bound=6", "-DN=11"], (["--jobs=2"], 0))
        self.assertGreater(self.most_at_once, 1)

    def test_bugs_are_those_of_one_process(self):
        options = ["--strategy=optimal-dpor", "-DN=10", "-DBUG"]
        one, two = self.check(*options), self.check(*options, "-j2")
        self.assertEqual(one["verdict"], "fail")
        self.assertEqual([f["schedule"] for f in one["findings"]],
                         [f["schedule"] for f in two["findings"]])
        self.assertEqual(one["executions"], two["executions"])

    def test_what_is_not_divided_is_said(self):
        report = self.check("--strategy=pos", "--max-executions=10", "-DN=2", "-j2")
        self.assertTrue(any("in one process" in note for note in report["notes"]), report["notes"])
        for words in (["-j0"], ["-j"], ["--jobs=many"]):
            done = subprocess.run([HEDDLE, "check", str(self.source), *words], text=True,
                                  capture_output=True, cwd=self.folder.name, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("jobs", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
