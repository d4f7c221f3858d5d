#!/usr/bin/python3
"""Every machine format of one run, each held against what its readers expect of it."""
import json
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "cli"))
import sarif_subset  # noqa: E402
from command import CORRECT, DEADLOCK, ENDLESS, CommandTest  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

ODD = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void* work(void* p) {
  printf("<odd> & \\"quoted\\" \\xff\\x01 \\xe2\\x82\\xac\\n");
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  assert(ready == 2 && "a < b & c > d");
}
"""


def without_own_dollar(schema):
    """Leaves out the address of the meta-schema, so that nothing is looked up."""
    return {key: value for key, value in schema.items() if key not in ("$schema", "id", "$id")}


def graph_of(text):
    """Nodes and arrows of Heddle's DOT: enough of the language to notice what is not in it."""
    statement = re.compile(r"""
        digraph\s\w+\s\{ | subgraph\s\w+\s\{ | \} |
        (?P<from>\w+)\s->\s(?P<to>\w+)(\s\[(?P<_1>[^"\]]|"(\\.|[^"\\])*")*\])?; |
        (?P<node>\w+)\s\[([^"\]]|"(\\.|[^"\\])*")*\]; |
        \w+=("(\\.|[^"\\])*"|\w+);""", re.VERBOSE)
    nodes, arrows, depth, at = set(), set(), 0, 0
    text = text.strip()
    while at < len(text):
        match = statement.match(text, at)
        if not match:
            raise AssertionError(f"not DOT: {text[at:at + 80]!r}")
        depth += match.group().endswith("{") - (match.group() == "}")
        if match["node"] and match["node"] not in ("node", "edge"):
            nodes.add(match["node"])
        if match["from"]:
            arrows.add((match["from"], match["to"]))
        at = match.end()
        while at < len(text) and text[at].isspace():
            at += 1
    if depth != 0:
        raise AssertionError("braces do not match")
    return nodes, arrows


class Formats(CommandTest):
    def reports(self, source, *options, status):
        """All formats of one run, by name."""
        self.file("odd name.c", source)
        kinds = ("text", "json", "sarif", "junit", "dot")
        done = self.heddle("check", "odd name.c", *options,
                           *(f"--output={kind}:out/r.{kind}" for kind in kinds))
        self.status(done, status)
        self.assertRegex(done.stdout, r"executions? \(")
        return {kind: (self.directory / "out" / f"r.{kind}").read_text(
            "utf-8", "replace" if kind == "text" else "strict") for kind in kinds}

    def runs(self):
        yield self.reports(DEADLOCK, status=1)
        yield self.reports(ODD, "--visible=all", "--races=off", "--keep-going", status=1)
        yield self.reports(CORRECT, status=0)
        yield self.reports(ENDLESS, "--max-executions=10", status=3)

    def test_json_follows_the_published_schema(self):
        schema = json.loads((ROOT / "docs/schema/report.schema.json").read_text())
        for reports in self.runs():
            document = json.loads(reports["json"])
            for finding in document["findings"]:
                self.assertEqual(len(finding["trace"]), finding["steps"])
                for step in finding["trace"]:
                    self.assertTrue(all(before < step["step"] for before in step["after"]))
            if jsonschema:
                jsonschema.Draft7Validator.check_schema(schema)
                jsonschema.Draft7Validator(schema).validate(document)
        if jsonschema:
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.Draft7Validator(schema).validate({**document, "verdict": "clean"})
        else:
            self.skipTest("python3-jsonschema is not installed; the schema was not applied")

    def test_sarif(self):
        for reports in self.runs():
            log = json.loads(reports["sarif"])
            self.assertEqual(list(sarif_subset.complaints(log)), [])
            self.assertEqual(log["version"], "2.1.0")
            results, document = log["runs"][0]["results"], json.loads(reports["json"])
            self.assertEqual([result["ruleId"] for result in results],
                             [finding["kind"] for finding in document["findings"]])
            for result, finding in zip(results, document["findings"]):
                flows = result["codeFlows"][0]["threadFlows"]
                order = {place["executionOrder"]: int(flow["id"]) for flow in flows
                         for place in flow["locations"]}
                self.assertEqual([order[i + 1] for i in range(finding["steps"])],
                                 [step["thread"] for step in finding["trace"]])
                place = result["locations"][0]["physicalLocation"]
                self.assertEqual(place["artifactLocation"]["uri"], "odd%20name.c")
        log["runs"][0]["nonsense"] = 1
        self.assertNotEqual(list(sarif_subset.complaints(log)), [])

    def test_sarif_follows_the_official_schema(self):
        if not jsonschema:
            self.skipTest("python3-jsonschema is not installed")
        done = subprocess.run([ROOT / "scripts/sarif-schema.sh"], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest(done.stderr.strip())
        schema = without_own_dollar(json.loads(Path(done.stdout.strip()).read_text()))
        validator = jsonschema.Draft7Validator(schema)
        for reports in self.runs():
            validator.validate(json.loads(reports["sarif"]))
        with self.assertRaises(jsonschema.ValidationError):
            validator.validate({"version": "2.1.0", "runs": [{"results": []}]})

    def test_junit(self):
        for reports in self.runs():
            top = ElementTree.fromstring(reports["junit"])
            document = json.loads(reports["json"])
            suite, = top
            self.assertEqual((top.tag, suite.tag), ("testsuites", "testsuite"))
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(len(cases), 1 + len(document["findings"]))
            failures = suite.findall("testcase/failure")
            self.assertEqual(int(suite.get("failures")), len(failures))
            self.assertEqual([failure.get("type") for failure in failures],
                             [finding["kind"] for finding in document["findings"]])
            skipped = len(suite.findall("testcase/skipped"))
            self.assertEqual(skipped, int(suite.get("skipped")))
            self.assertEqual(skipped, document["verdict"] == "unknown")
            self.assertEqual(suite.get("name"), "odd name")

    def test_dot(self):
        for reports in self.runs():
            nodes, arrows = graph_of(reports["dot"])
            document = json.loads(reports["json"])
            if len(document["findings"]) != 1:
                continue
            finding, = document["findings"]
            steps = {f"s{step['step']}" for step in finding["trace"]}
            self.assertEqual({node for node in nodes if node[0] == "s"}, steps)
            for step in finding["trace"]:
                for before in step["after"]:
                    self.assertIn((f"s{before}", f"s{step['step']}"), arrows)

    def test_happens_before(self):
        reports = self.reports(ODD, "--visible=all", "--races=off", status=1)
        trace = json.loads(reports["json"])["findings"][0]["trace"]
        by_operation = {}
        for step in trace:
            by_operation.setdefault((step["thread"], step["operation"]), []).append(step)
        create, start = by_operation[0, "thread-create"][0], by_operation[1, "thread-start"][0]
        self.assertEqual(start["after"], [create["step"]])
        for relock in by_operation.get((0, "cond-relock"), []):
            woken = [step["step"] for step in by_operation[1, "cond-signal"]]
            self.assertTrue(set(relock["after"]) & ({step["step"] for step in trace
                            if step["thread"] == 1 and step["step"] >= woken[0]}))

    def test_one_format_on_standard_output(self):
        self.file("a.c", CORRECT)
        done = self.heddle("check", "a.c", "--output=sarif", "--output=json:a.json")
        self.status(done, 0)
        self.assertEqual(json.loads(done.stdout)["version"], "2.1.0")
        self.assertEqual(json.loads((self.directory / "a.json").read_text())["verdict"], "pass")

    def test_a_place_that_cannot_be_written_is_an_error(self):
        self.file("a.c", CORRECT)
        self.file("taken")
        done = self.heddle("check", "a.c", "--output=json:taken/a.json")
        self.status(done, 2)
        self.assertIn("cannot write taken/a.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
