#!/usr/bin/env python3
"""Results are never lost: outputs are opened before the search, and what cannot be written is said."""
import itertools
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from command import CORRECT, DEADLOCK, ENDLESS, HEDDLE, CommandTest

PROVE = Path(HEDDLE).parent.parent / "prove" / "heddle-prove"
KINDS = ("text", "json", "sarif", "junit", "dot", "html", "lines")


def looks_right(kind, text):
    if kind in ("json", "sarif"):
        return "$schema" in json.loads(text)
    if kind == "junit":
        return ElementTree.fromstring(text).tag == "testsuites"
    begins = {"dot": "digraph", "html": "<!", "lines": "verdict "}
    return text.startswith(begins[kind]) if kind in begins else "bug found" in text


class Results(CommandTest):
    def with_a_full(self, stream, words):
        with open("/dev/full", "w") as full:
            streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
            return subprocess.run([HEDDLE, *words], **streams, cwd=self.directory, text=True, timeout=60)

    def calls(self):
        """Calls of each command that print something, less than a buffer holds and more than that."""
        for name, text in (("program.c", CORRECT), ("longer.c", DEADLOCK)):
            self.file(name, text)
        self.status(self.heddle("check", "longer.c", "--coverage=seen.csv"), 1)
        self.status(self.heddle("check", "program.c", "--strategy=dfs", "--session=ended"), 0)
        trace = "longer.1.heddle-trace"
        yield from (["check", "program.c"], ["check", "program.c", "--json"], ["check", "longer.c"],
                    ["check", "longer.c", "--json"], ["check", "longer.c", "--html=-"], ["last"],
                    ["resume", "ended"], ["status", "ended"], ["status", "ended", "--json"],
                    ["replay", trace], ["replay", trace, "--output=html"], ["explain", trace],
                    ["explain", trace, "--output=json"], ["explain", trace, "--output=html"],
                    ["explain", "--code"], ["explain", "--code", "deadlock"], ["plot", "seen.csv"],
                    ["cc", "--flags"], ["c++", "--flags"], ["cache"], ["strategies"],
                    ["strategies", "--mdoc"], ["support"], ["support", "--mdoc"], ["--help"], ["version"])
        yield from (["completion", shell] for shell in ("bash", "zsh", "fish"))
        yield from (["help", command] for command in self.commands())
        if PROVE.exists():
            yield from (["prove", "program.c"], ["prove", "longer.c", "--json"],
                        ["prove", "longer.c", "--dump-graph"])

    def commands(self):
        found = re.findall(r"^  heddle ([\w+]+)", self.heddle("--help").stdout, re.M)
        return [command for command in found if command != "prove" or PROVE.exists()]

    def test_full_standard_output(self):
        tried = set()
        for words in self.calls():
            done = self.with_a_full("stdout", words)
            self.status(done, 2)
            self.assertIn("cannot write to standard output: No space left", done.stderr)
            self.assertNotIn("terminate called", done.stderr)
            tried.add(words[0])
        self.assertLessEqual(set(self.commands()), tried)

    def test_a_loss_does_not_keep_the_rest_from_being_written(self):
        source = self.file("program.c", DEADLOCK)
        done = self.with_a_full("stdout", ["check", source, "--output=json:all.json", "--output=html"])
        self.status(done, 2)
        self.assertEqual(json.loads((self.directory / "all.json").read_text())["verdict"], "fail")

    def test_full_standard_error(self):
        self.status(self.with_a_full("stderr", ["no-such-command"]), 2)
        self.status(self.with_a_full("stderr", ["check", "nowhere.c"]), 2)

    def test_files_of_several_kinds_in_one_folder(self):
        source = self.file("program.c", DEADLOCK)
        self.status(self.heddle("check", source, "--output=json:out/", "--output=junit:out/"), 1)
        self.assertEqual({path.name for path in (self.directory / "out").iterdir()},
                         {"program.json", "program.junit"})
        for same in ("--output=json:out", "--output=json:out/"):  # now that it is there
            self.status(self.heddle("check", source, same, same.replace("json", "dot")), 1)
            self.status(self.heddle("check", source, same, same), 2)

    def test_full_output_files(self):
        source = self.file("program.c", DEADLOCK)
        done = self.heddle("check", source, "--output=json:/dev/full", "--output=html:page.html",
                           "--trace-dir=t")
        self.status(done, 2)
        self.assertIn("cannot write /dev/full: No space left on device", done.stderr)
        self.assertIn("fail: 1 bug found", done.stdout)  # all the rest is there
        self.assertTrue((self.directory / "page.html").stat().st_size > 1000)
        self.assertTrue(list((self.directory / "t").iterdir()))
        done = self.heddle("check", source, "--coverage=/dev/full")
        self.status(done, 2)
        self.assertIn("fail: 1 bug found", done.stdout)

    def test_traces_on_a_full_disk(self):
        source = self.file("program.c", DEADLOCK)
        os.symlink("/dev/full", self.directory / "program.1.heddle-trace")
        done = self.heddle("check", source)
        self.status(done, 2)
        self.assertIn("cannot write program.1.heddle-trace: No space left", done.stderr)
        self.assertIn("fail: 1 bug found", done.stdout)

    def test_outputs_are_opened_before_the_search(self):
        source = self.file("program.c", ENDLESS)  # would take for ever
        done = self.heddle("check", source, "--output=json:/proc/nowhere/all.json")
        self.status(done, 2)
        self.assertIn("cannot write /proc/nowhere/all.json", done.stderr)
        done = self.heddle("check", source, "--coverage=/proc/nowhere/all.csv")
        self.status(done, 2)

    def test_a_run_that_fails_leaves_the_last_report_alone(self):
        report = self.file("report.json", "the last one")
        source = self.file("program.c", CORRECT)
        done = self.heddle("check", source, "--output=json:report.json", "--output=text:new.txt",
                           "--properties=" + self.file("none.txt", "no_such_function\n"))
        self.status(done, 2)
        self.assertEqual(Path(report).read_text(), "the last one")
        self.assertFalse((self.directory / "new.txt").exists())

    def test_a_longer_report_is_replaced_as_a_whole(self):
        self.file("report.json", "x" * 1_000_000)
        self.status(self.heddle("check", self.file("program.c", CORRECT),
                                "--output=json:report.json"), 0)
        self.assertEqual(json.loads((self.directory / "report.json").read_text())["verdict"], "pass")

    def test_every_pair_of_outputs(self):
        self.status(self.heddle("cc", "-g", self.file("program.c", DEADLOCK), "-o", "program"), 0)
        for one, other in itertools.permutations(KINDS, 2):
            done = self.heddle("check", "program", f"--output={one}:out/", f"--output={other}")
            self.status(done, 1)
            written = (self.directory / "out" / f"program.{one}").read_text()
            self.assertTrue(looks_right(one, written), (one, written[:200]))
            self.assertTrue(looks_right(other, done.stdout), (other, done.stdout[:200]))

    def test_outputs_that_cannot_be_combined(self):
        source = self.file("program.c", CORRECT)
        for outputs in (["json", "sarif"], ["json:a", "sarif:a"], ["json:a", "sarif:./a"],
                        ["json:program.c"], ["json:-", "text"]):
            done = self.heddle("check", source, *(f"--output={output}" for output in outputs))
            self.status(done, 2)
            self.assertEqual(done.stdout, "")
        self.assertEqual(Path(source).read_text(), CORRECT)

    def test_versions(self):
        version = self.heddle("--version").stdout.split()[1]
        source = self.file("program.c", DEADLOCK)
        self.status(self.heddle("check", source, "--output=json:a.json", "--output=sarif:a.sarif"), 1)
        document = json.loads((self.directory / "a.json").read_text())
        self.assertEqual(document["$schema"], "urn:heddle:schema:report:1")
        self.assertEqual((document["schema_version"], document["tool_version"]), (1, version))
        log = json.loads((self.directory / "a.sarif").read_text())
        self.assertTrue(log["$schema"].endswith("/sarif-schema-2.1.0.json"))
        self.assertEqual(log["runs"][0]["tool"]["driver"]["version"], version)
        trace = self.directory / "program.1.heddle-trace"
        text = trace.read_text()
        self.assertTrue(text.startswith("heddle-trace 1\n"))
        self.assertIn(f"\ntool {version}\n", text)
        for number, who in ((0, "an older"), (2, "a newer")):
            trace.write_text(text.replace("heddle-trace 1", f"heddle-trace {number}", 1))
            for command in ("replay", "explain"):
                done = self.heddle(command, trace)
                self.status(done, 2)
                self.assertIn(f"was written by {who} Heddle", done.stderr)


if __name__ == "__main__":
    unittest.main()
