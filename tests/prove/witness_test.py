#!/usr/bin/env python3
"""Witnesses of `heddle prove --witness`, read by a reader of our own and held against the report.

    witness_test.py HEDDLE
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from prove_command_test import INPUT, KNOT, LOCKED, LOST_UPDATE
from task_families import tasks

HEDDLE = None
SPACE = "{http://graphml.graphdrawing.org/xmlns}"
DEMANDED = {"witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash",
            "architecture", "creationtime"}
# Inputs of every type that SV-COMP has; the largest and the least value of each is the only bug.
TYPES = {"bool": (0, 1), "char": (-128, 127), "uchar": (0, 255), "short": (-2**15, 2**15 - 1),
         "ushort": (0, 2**16 - 1), "int": (-2**31, 2**31 - 1), "uint": (0, 2**32 - 1),
         "long": (-2**63, 2**63 - 1), "ulong": (0, 2**64 - 1), "longlong": (-2**63, 2**63 - 1),
         "ulonglong": (0, 2**64 - 1)}
CTYPES = {"bool": "_Bool", "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned",
          "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long"}
REACH = """
extern void reach_error(void);
extern %s __VERIFIER_nondet_%s(void);
int main(void) {
  %s x = __VERIFIER_nondet_%s();
  if (x == (%s)%s) reach_error();
  return 0;
}
"""
WIDE = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static _Atomic int sum;
static void* add(void* unused) {
  unsigned char n = __VERIFIER_nondet_uchar();
  sum += n;
  return unused;
}
int main(void) {
  pthread_t one;
  int begin = __VERIFIER_nondet_int();
  pthread_create(&one, 0, add, 0);
  pthread_join(one, 0);
  int end = __VERIFIER_nondet_int();
  assert(!(begin + sum == -77 && end == -3 && sum == 5));
  return 0;
}
"""
FREED_TWICE = "#include <stdlib.h>\nint main(void) {\n  char* p = malloc(1);\n  free(p);\n  free(p);\n  return 0;\n}\n"
USED_FREED = FREED_TWICE.replace("  free(p);\n  return 0", "  return *p")
DIVIDES = ("extern unsigned char __VERIFIER_nondet_uchar(void);\n"
           "int main(void) {\n  return 1 / __VERIFIER_nondet_uchar();\n}\n")
OWN_ERROR = "#include <assert.h>\nvoid reach_error(void) { assert(0); }\nint main(void) {\n  %s;\n  return 0;\n}\n"


class Read:
    """A witness, with what the format demands of every one checked."""

    def __init__(self, test, file):
        root = ElementTree.parse(file).getroot()
        test.assertEqual(root.tag, SPACE + "graphml")
        declared = {key.get("id"): key for key in root.findall(SPACE + "key")}
        test.assertEqual(len(declared), len(root.findall(SPACE + "key")))
        graph, = root.findall(SPACE + "graph")
        test.assertEqual(graph.get("edgedefault"), "directed")
        self.data = self.data_of(graph)
        for element in root.iter():
            for each in element.findall(SPACE + "data"):
                key = declared[each.get("key")]
                test.assertEqual(SPACE + key.get("for"), element.tag, each.get("key"))
                if key.get("attr.type") == "int":
                    int(each.text)
                if key.get("attr.type") == "boolean":
                    test.assertIn(each.text, ("true", "false"))
        test.assertEqual(DEMANDED - set(self.data), set())
        self.nodes = {node.get("id"): self.data_of(node) for node in graph.findall(SPACE + "node")}
        test.assertEqual(len(self.nodes), len(graph.findall(SPACE + "node")))
        self.path = self.follow(test, graph.findall(SPACE + "edge"))

    @staticmethod
    def data_of(element):
        data = {}
        for each in element.findall(SPACE + "data"):
            data.setdefault(each.get("key"), []).append(each.text)
        return data

    def follow(self, test, edges):
        """The data of the edges from the entry on; there is one way, and it meets every node and edge."""
        at, = [node for node, data in self.nodes.items() if data.get("entry") == ["true"]]
        leaving = {edge.get("source"): edge for edge in edges}
        test.assertEqual(len(leaving), len(edges))
        seen, path = {at}, []
        while at in leaving:
            edge = leaving[at]
            at = edge.get("target")
            test.assertIn(at, self.nodes)
            test.assertNotIn(at, seen)
            seen.add(at)
            path.append(self.data_of(edge))
        test.assertEqual((seen, len(path)), (set(self.nodes), len(edges)))
        self.end = at
        return path


def one(edge, key):
    value, = edge.get(key, [None])
    return value


def step(edge):
    line = one(edge, "startline")
    return int(one(edge, "threadId")), None if line is None else int(line)


def constant(text):
    """The value of a constant expression of C as witnesses have it."""
    found = re.fullmatch(r"\\result == (.*)", text)
    return eval(re.sub(r"(?<=\d)U", "", found.group(1)), {"__builtins__": {}})


class Witnesses(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.TemporaryDirectory()
        self.addCleanup(self.top.cleanup)
        self.folder = Path(self.top.name)

    def source(self, text, name="prog.c"):
        (self.folder / name).write_text(text)
        return name

    def prove(self, *words):
        return subprocess.run([HEDDLE, "prove", *words], capture_output=True, text=True, timeout=120, cwd=self.folder)

    def witness(self, text, *words, status):
        name = self.source(text)
        done = self.prove(name, "--witness=out.graphml", "--json", *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        witness = Read(self, self.folder / "out.graphml")
        data = {key: values for key, values in witness.data.items() if key != "specification"}
        self.assertEqual(data.pop("programhash"), [hashlib.sha256((self.folder / name).read_bytes()).hexdigest()])
        made = datetime.datetime.strptime(data.pop("creationtime")[0], "%Y-%m-%dT%H:%M:%S%z")
        self.assertLess(abs(datetime.datetime.now(datetime.timezone.utc) - made), datetime.timedelta(hours=1))
        self.assertRegex(data.pop("producer")[0], r"^heddle \d+\.\d+\.\d+$")
        self.assertEqual(data, {"witness-type": ["violation_witness" if status else "correctness_witness"],
                                "sourcecodelang": ["C"], "programfile": [name], "architecture": ["64bit"]})
        violations = [node for node, data in witness.nodes.items() if data.get("violation") == ["true"]]
        self.assertEqual(violations, [witness.end] if status else [])
        return witness, json.loads(done.stdout)

    def violation(self, text, formula, *words):
        witness, report = self.witness(text, *words, status=1)
        self.assertEqual(witness.data["specification"], ["CHECK( init(main()), LTL(%s) )" % formula])
        finding = report["findings"][0]
        self.check_threads(witness.path, finding)
        self.check_lines(witness.path, finding, inputs_are_steps="circuit" not in report)
        return witness.path, finding

    def check_threads(self, path, finding):
        names = {thread["id"]: thread["name"] for thread in finding["threads"]}
        self.assertEqual((step(path[0]), one(path[0], "createThread")), ((0, None), "0"))
        self.assertEqual(one(path[0], "enterFunction"), names[0])
        created, entered = {0}, {0}
        for edge in path[1:]:
            thread, _ = step(edge)
            self.assertIn(thread, created)
            if one(edge, "createThread") is not None:
                new = int(one(edge, "createThread"))
                self.assertNotIn(new, created)
                created.add(new)
            if one(edge, "enterFunction") is not None:
                self.assertNotIn(thread, entered)
                self.assertEqual(one(edge, "enterFunction"), names[thread])
                entered.add(thread)
            self.assertIn(thread, entered)
        self.assertEqual(created, set(names))

    def check_lines(self, path, finding, inputs_are_steps):
        """The path is the reported steps, with inputs between them and where it fails at the end."""
        if not inputs_are_steps:  # who takes one has just done a step
            for before, edge in zip(path, path[1:]):
                if "assumption" in edge:
                    self.assertEqual(step(edge)[0], step(before)[0])
        rest = [step(edge) for edge in path[1:] if inputs_are_steps or "assumption" not in edge]
        told = []
        for each in finding["trace"]:
            file, _, line = each["place"].rpartition(":")
            self.assertIn(file, ("", "prog.c"))
            told.append((each["thread"], int(line) if line else None))
        self.assertEqual(rest[:len(told)], told)
        end = rest[len(told):]
        self.assertLessEqual(len(end), 1)
        if finding["kind"] != "deadlock":
            self.assertEqual(str((end or told)[-1][1]), finding["location"].rpartition(":")[2])
        else:
            self.assertEqual(end, [])

    def assumptions(self, text, path):
        """(line, value) of each, whose function the line calls."""
        found = []
        for edge in path:
            if "assumption" not in edge:
                self.assertNotIn("assumption.resultfunction", edge)
                continue
            line = step(edge)[1]
            self.assertIn(one(edge, "assumption.resultfunction") + "()", text.splitlines()[line - 1])
            found.append((line, constant(one(edge, "assumption"))))
        return found

    def test_bugs_of_each_kind_that_SV_COMP_knows(self):
        race = (LOST_UPDATE % "").replace("assert(counter == 2);", "")
        # Which of a race and a failed assertion a search comes to first is its own affair.
        for text, formula, engines in ((LOST_UPDATE % "_Atomic", "G assert", ("explicit", "events", "bmc")),
                                       (race, "G ! data-race", ("explicit", "events", "bmc")),
                                       (KNOT, "G ! deadlock", ("explicit", "events", "bmc")),
                                       (USED_FREED, "G valid-deref", ("explicit",)),
                                       (FREED_TWICE, "G valid-free", ("explicit",))):
            for engine in engines:
                with self.subTest(formula=formula, engine=engine):
                    self.violation(text, formula, "--confirm=no", "--engine=" + engine)

    def test_confirmed_bugs_and_reach_error(self):
        path, finding = self.violation(OWN_ERROR % "reach_error()", "G ! call(reach_error())", "--reach-only")
        self.assertEqual(finding["confirmation"]["state"], "shown", finding)
        self.assertEqual(step(path[-1]), (0, 4))
        # The function is not called here, though it is there.
        self.violation(OWN_ERROR % "assert(0)", "G assert", "--reach-only", "--confirm=no")

    def test_inputs_that_are_steps_and_others(self):
        for engine in ("explicit", "events", "bmc"):
            path, finding = self.violation(INPUT, "G assert", "--confirm=no", "--engine=" + engine)
            found = self.assumptions(INPUT, path)
            self.assertEqual([value for _, value in found], finding["inputs"])
            self.assertEqual(sum(value for _, value in found), 77, engine)
        for engine in ("events", "bmc"):
            path, _ = self.violation(WIDE, "G assert", "--confirm=no", "--engine=" + engine)
            self.assertEqual([value for _, value in self.assumptions(WIDE, path)], [-82, 5, -3])

    def test_inputs_of_all_types(self):
        for suffix, bounds in TYPES.items():
            ctype = CTYPES.get(suffix, suffix)
            for value in bounds:
                text = REACH % (ctype, suffix, ctype, suffix, ctype, f"{value % 2**64}U")
                path, _ = self.violation(text, "G ! call(reach_error())", "--confirm=no", "--reach-only")
                self.assertEqual(self.assumptions(text, path), [(5, value)], suffix)

    def test_proofs(self):
        holds = ["CHECK( init(main()), LTL(%s) )" % formula
                 for formula in ("G assert", "G ! data-race", "G ! deadlock", "G ! call(reach_error())")]
        for words, specifications in (([], holds[:3]), (["--races=off"], [holds[0], holds[2]]),
                                      (["--reach-only"], holds[3:]), (["--engine=events"], holds[:3])):
            witness, _ = self.witness(LOCKED, *words, status=0)
            self.assertEqual(witness.data["specification"], specifications)
            self.assertEqual(witness.path, [])

    def test_tasks(self):
        unsafe = [(name, text) for name, text, safe in tasks() if not safe]
        for name, text in unsafe[::1 if os.environ.get("HEDDLE_TESTS") == "all" else 8]:
            with self.subTest(task=name):
                self.violation(text, "G ! call(reach_error())", "--reach-only", "--confirm=no")

    def nothing(self, sentence, text, *words, status):
        done = self.prove(self.source(text), "--witness=none.graphml", "--confirm=no", *words)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"^heddle: no witness is written: .*%s.*\n$" % sentence)
        self.assertRegex(done.stdout, "(?m)^guarantee: ")
        self.assertFalse((self.folder / "none.graphml").exists())

    def test_where_there_is_none(self):
        self.nothing("the verdict is unknown", LOCKED, "--max-states=3", status=3)
        self.nothing("the verdict is unknown", "#include <stdlib.h>\nint main(void) { return system(0); }\n", status=3)
        self.nothing("no property of SV-COMP", DIVIDES, status=1)
        self.nothing("--ignore", LOCKED, "--ignore=abort", status=0)
        self.nothing("hashes", LOCKED, "--storage=compact", "--order=depth", status=0)
        self.nothing("preemptions", LOST_UPDATE % "_Atomic", "--bound=0", status=0)
        self.nothing("arguments", LOCKED, "--", "x", status=0)
        old = self.folder / "none.graphml"
        old.write_text("the last one")
        self.prove(self.source(LOCKED), "--witness=none.graphml", "--max-states=3")
        self.assertEqual(old.read_text(), "the last one")

    def test_files_that_cannot_be_written(self):
        name = self.source(LOCKED)
        done = self.prove(name, "--witness=/dev/full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("pass: no bug found", done.stdout)  # the report is there all the same
        self.assertIn("cannot write /dev/full: No space left on device", done.stderr)
        done = self.prove(name, "--witness=nowhere/out.graphml")
        self.assertEqual((done.returncode, done.stdout), (2, ""))  # before the search
        self.assertIn("cannot write nowhere/out.graphml: No such file or directory", done.stderr)

    def test_bad_usage(self):
        name, other = self.source(LOCKED), self.source(LOCKED, "other.c")
        cxx = self.source("int main() {}\n", "prog.cc")
        graph = self.source(self.prove(name, "--dump-graph").stdout, "prog.graph")
        for words, sentence in (([name, other], "one source file in C"), ([cxx], "one source file in C"),
                                ([graph], "one source file in C"), ([name, "--ltl=F 1"], "leave out --ltl"),
                                ([name, "--dump-graph"], "leave out --dump-graph"),
                                ([name, "--aiger=x.aig"], "leave out --dump-graph and --aiger"),
                                ([name, "--witness="], "--witness= needs a value"),
                                ([name, "--witness=./prog.c"], "would overwrite the program")):
            file = [] if "--witness" in words[-1] else ["--witness=out.graphml"]
            done = self.prove(*words, *file)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertRegex(done.stderr, r"^heddle: [^\n]*\n$")
            self.assertIn(sentence, done.stderr)
        self.assertEqual((self.folder / name).read_text(), LOCKED)
        self.assertFalse((self.folder / "out.graphml").exists())


if __name__ == "__main__":
    HEDDLE = sys.argv.pop(1)
    unittest.main()
