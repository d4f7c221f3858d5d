#!/usr/bin/env python3
"""The command line of `heddle prove`: what it prints, refuses and confirms.

    prove_command_test.py HEDDLE
"""
import json
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = None
LOST_UPDATE = """
#include <assert.h>
#include <pthread.h>
%s int counter;
static void* add(void* unused) {
  int seen = counter;
  counter = seen + 1;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(counter == 2);
  return 0;
}
"""
KNOT = """
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* unused) {
  pthread_mutex_lock(&other);
  pthread_mutex_lock(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&other);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&one);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&one);
  pthread_join(thread, NULL);
  return 0;
}
"""
LOCKED = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void* add(void* unused) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(counter == 2);
  return 0;
}
"""
INPUT = """
#include <assert.h>
#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
static _Atomic int sum;
static void* add(void* unused) {
  unsigned char n = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(n < 40);
  sum += n;
  return unused;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(sum != 77);
  return 0;
}
"""

# Peterson's algorithm, round after round, and what it becomes if nobody gives the other one the turn.
PETERSON = """
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int wants[2], turn, inside[2];
static void* worker(void* argument) {
  int me = *(int*)argument, other = 1 - me;
  for (;;) {
    wants[me] = 1;
    turn = %s;
    while (wants[other] && turn == other) {}
    inside[me] = 1;
    inside[me] = 0;
    wants[me] = 0;
  }
  return 0;
}
int main(void) {
  static int number[2] = {0, 1};
  pthread_t one;
  pthread_create(&one, NULL, worker, &number[1]);
  worker(&number[0]);
}
"""


class Prove(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.TemporaryDirectory()
        self.addCleanup(self.top.cleanup)

    def source(self, text, name="prog.c"):
        (Path(self.top.name) / name).write_text(text)
        return name

    def prove(self, *words):
        return subprocess.run([HEDDLE, "prove", *words], capture_output=True, text=True, timeout=120,
                              cwd=self.top.name)

    def report(self, *words, status):
        done = self.prove(*words, "--json")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_a_lost_update_is_found_and_shows_natively(self):
        report = self.report(self.source(LOST_UPDATE % "_Atomic"), status=1)
        finding = report["findings"][0]
        self.assertEqual((report["verdict"], finding["kind"]), ("fail", "assertion"))
        self.assertEqual(finding["location"].split(":")[-1], "16")
        self.assertEqual(finding["confirmation"]["state"], "shown", finding)
        self.assertIn("replayed natively: assertion `counter == 2' fails", finding["confirmation"]["sentence"])
        again = subprocess.run([HEDDLE, "replay", "--trust", finding["trace_file"]], capture_output=True, text=True,
                               timeout=60, cwd=self.top.name)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_sources_that_do_not_fit_together(self):
        done = self.prove(self.source(LOCKED, "one.c"), self.source(LOCKED, "other.c"))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)  # no bug was found
        self.assertRegex(done.stderr, r"^heddle: other\.c cannot be linked with the other sources: .*main.*\n$")

    def test_names_of_files_are_quoted_and_kinds_told_once(self):
        text = self.prove(self.source(KNOT, "a 'knot'.c")).stdout
        self.assertIn("a 'knot'.c:15: deadlock: thread", text)
        line = next(line for line in text.splitlines() if line.startswith("heddle replay --trust"))
        self.assertTrue((Path(self.top.name) / shlex.split(line)[-1]).exists(), line)

    def test_a_race_is_found_and_shows_natively(self):
        told = self.prove(self.source(LOST_UPDATE % "")).stdout.splitlines()[0]
        self.assertRegex(told, r"data-race: thread \d (reads|writes) counter at prog\.c:\d+ while thread \d (reads|writes) "
                               r"it at prog\.c:\d+$")
        finding = self.report(self.source(LOST_UPDATE % ""), status=1)["findings"][0]
        self.assertEqual((finding["kind"], finding["confirmation"]["state"]), ("data-race", "shown"), finding)

    def test_inputs_of_a_counterexample_reach_the_program(self):
        finding = self.report(self.source(INPUT), status=1)["findings"][0]
        self.assertEqual(sum(finding["inputs"]), 77)
        self.assertEqual(finding["confirmation"]["state"], "shown", finding)

    def test_a_correct_program_passes_with_every_reduction_and_order(self):
        name = self.source(LOCKED)
        states = {}
        for words in ([], ["--order=depth"], ["--reduction=stubborn"], ["--reduction=transactions"],
                      ["--bound=9"]):
            report = self.report(name, *words, status=0)
            self.assertIn("no execution", report["guarantee"])
            states[" ".join(words)] = report["states"]
        self.assertEqual(states[""], states["--order=depth"])
        self.assertLessEqual(states["--reduction=stubborn"], states[""])

    def test_temporal_properties_hold_or_are_broken_for_ever(self):
        name = self.source(PETERSON % "other")
        excluded, served = "--ltl=G !(inside[0] && inside[1])", "--ltl=G (wants[1] -> F inside[1])"
        self.assertIn("nothing else was looked for", self.report(name, excluded, status=0)["guarantee"])
        finding = self.report(name, served, status=1)["findings"][0]
        self.assertEqual(finding["kind"], "temporal")
        loop = finding["trace"][finding["loop"] - 1:]
        self.assertTrue(loop)
        self.assertEqual({step["thread"] for step in loop}, {0}, "thread 1 is passed over")
        self.assertIn("every fair execution", self.report(name, served, "--fair", status=0)["guarantee"])
        unfair = self.source(PETERSON % "me", "unfair.c")
        self.report(unfair, excluded, status=1)
        text = self.prove(name, served).stdout
        self.assertIn("from here on, for ever:", text)

    def test_formulas_that_cannot_be_read_are_refused(self):
        name = self.source(PETERSON % "other")
        for words, sentence in ((["--ltl=G (turn"], "column 8: a closing parenthesis is missing"),
                                (["--ltl=F turns"], "there is no global integer turns"),
                                (["--ltl=F turn", "--reduction=stubborn"], "cannot be combined"),
                                (["--fair"], "name one with --ltl")):
            done = self.prove(name, *words)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(sentence, done.stderr)

    def test_its_graph_is_input_too(self):
        name = self.source(LOCKED)
        text = self.prove(name, "--dump-graph")
        self.assertEqual(text.returncode, 0, text.stderr)
        graph = self.source(text.stdout, "prog.graph")
        self.assertEqual(self.report(graph, status=0)["states"], self.report(name, status=0)["states"])
        self.assertEqual(self.prove(graph, "--dump-graph").stdout, text.stdout)

    def test_the_circuit_is_written_for_hardware_model_checkers(self):
        name = self.source(LOCKED)
        done = self.prove(name, "--aiger=prog.aig")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        content = (Path(self.top.name) / "prog.aig").read_bytes()
        header = content.splitlines()[0].split()
        self.assertEqual(header[0], b"aig")
        inputs, latches, bad, constraints = (int(header[i]) for i in (2, 3, 6, 7))
        self.assertGreater(min(inputs, latches, bad, constraints), 0)
        for symbol in (b"execute0", b"thread1.pc[0]", b"deadlock", b"data-race"):
            self.assertIn(symbol, content)
        done = self.prove(name, "--aiger=/nowhere/x.aig")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write /nowhere/x.aig", done.stderr)

    def test_what_cannot_be_modelled_is_named_with_its_line(self):
        name = self.source("#include <stdlib.h>\nint main(void) {\n  return system(\"x\") == 7;\n}\n")
        report = self.report(name, status=3)
        self.assertEqual(report["verdict"], "unknown")
        self.assertIn("the call of system at prog.c:3", report["reason"])

    def test_calls_of_the_program_s_own_reach_error_count(self):
        text = LOCKED.replace("assert(counter == 2)", "if (counter == 2) reach_error()")
        for body, state in (("", "not tried"), ("assert(0);", "shown")):
            source = self.source("void reach_error(void);\n%s\nvoid reach_error(void) { %s }\n" % (text, body))
            finding = self.report(source, "--reach-only", status=1)["findings"][0]
            self.assertEqual(finding["message"], "reach_error() is called")
            self.assertEqual(finding["confirmation"]["state"], state, finding)

    def test_what_is_not_reached_does_not_matter(self):
        name = self.source("#include <stdlib.h>\nint main(int n, char** v) {\n"
                           "  return n > 1 ? system(v[1]) : 0;\n}\n")
        self.report(name, status=0)
        self.assertEqual(self.prove(name, "--", "x").returncode, 3)

    def test_limits_leave_it_undecided(self):
        name = self.source(LOCKED)
        self.assertIn("limit of 3", self.report(name, "--max-states=3", status=3)["reason"])
        self.assertIn("more than 2 threads", self.report(name, "--max-threads=2", status=3)["reason"])

    def test_bad_usage(self):
        name = self.source(LOCKED)
        self.source("int main(void) { return x; }\n", "bad.c")
        self.source("program x\nnonsense\n", "bad.graph")
        for words, sentence in ((["--order=sideways", name], "--order=sideways is not valid"),
                                (["nothing.c"], "there is no file nothing.c"),
                                (["bad.c"], "bad.c does not compile"),
                                (["bad.graph"], "bad.graph:2:"),
                                (["--frob", name], "unknown option --frob"),
                                (["/bin/ls"], "is not a source file"),
                                ([], "name source files"),
                                (["--bound=1", "--reduction=stubborn", name], "cannot be combined")):
            done = self.prove(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    unittest.main()
