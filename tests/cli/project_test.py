#!/usr/bin/env python3
"""What is kept between checks: .heddle.toml, heddle last, the cache of compiled programs."""
import json
import os
import unittest
from unittest import mock

from command import CORRECT, DEADLOCK, CommandTest


class Project(CommandTest):
    def setUp(self):
        super().setUp()
        folders = {"XDG_STATE_HOME": str(self.directory / "state"),
                   "XDG_CACHE_HOME": str(self.directory / "cache")}
        patch = mock.patch.dict(os.environ, folders)
        patch.start()
        self.addCleanup(patch.stop)
        self.file("good.c", CORRECT)
        self.file("bad.c", DEADLOCK)

    def configure(self, text):
        self.file(".heddle.toml", text)

    def test_targets_are_run(self):
        self.configure('[[target]]\nsources = ["good.c"]\n[[target]]\nname = "the knot"\n'
                       'sources = ["bad.c"]\noptions = ["--quiet"]\n')
        done = self.heddle("check")
        self.status(done, 1)
        self.assertRegex(done.stdout, r"(?s)^good:\npass:.*\nthe knot:\nbad\.c:.*deadlock.*fail: 1 bug")
        self.configure('[[target]]\nsources = ["good.c"]\n')
        done = self.heddle("check", "--json")
        self.status(done, 0)
        self.assertEqual(json.loads(done.stdout[done.stdout.index("{"):])["verdict"], "pass")

    def test_targets_do_not_overwrite_each_other(self):
        self.configure('[[target]]\nsources = ["good.c"]\n[[target]]\nsources = ["bad.c"]\n')
        for output in ("--json", "--output=sarif:all.sarif"):
            done = self.heddle("check", output)
            self.status(done, 2)
            self.assertIn("several targets", done.stderr)
        self.status(self.heddle("check", "--output=sarif:reports/"), 1)
        self.assertEqual(sorted(os.listdir(self.directory / "reports")), ["bad.sarif", "good.sarif"])

    def test_targets_of_one_source(self):
        target = '[[target]]\nname = "{}"\nsources = ["bad.c"]\noptions = ["--quiet"]\n'
        self.configure(target.format("one") + target.format("other"))
        self.status(self.heddle("check", "--output=json:reports/"), 1)
        self.assertEqual(sorted(os.listdir(self.directory / "reports")), ["one.json", "other.json"])
        for name in ("one", "other"):
            report = json.loads((self.directory / "reports" / f"{name}.json").read_text())
            self.assertEqual(report["findings"][0]["trace_file"], f"{name}.1.heddle-trace")
            self.assertTrue((self.directory / f"{name}.1.heddle-trace").exists())
        self.configure(target.replace('name = "{}"\n', "") * 2)
        self.status(self.heddle("check", "--output=dot:reports/"), 1)
        self.assertEqual(sorted(name for name in os.listdir(self.directory / "reports") if "dot" in name),
                         ["bad-2.dot", "bad.dot"])
        self.configure(target.format("one") * 2)
        done = self.heddle("check")
        self.status(done, 2)
        self.assertIn("two targets are called one", done.stderr)

    def test_mistakes_in_options_name_the_file(self):
        for option in ("--tim=1", "--strategy=dsf", "--bound=x", "--help", "bad.c", "--"):
            for text in (f'options = ["{option}"]\n[[target]]\nsources = ["good.c"]\n',
                         f'[[target]]\nsources = ["good.c"]\noptions = ["{option}"]\n'):
                self.configure(text)
                done = self.heddle("check")
                self.status(done, 2)
                self.assertIn(".heddle.toml:", done.stderr)
        self.configure('options = ["--strategy=icb"]')
        done = self.heddle("check", "good.c", "--bond=2")  # not the file's mistake
        self.status(done, 2)
        self.assertNotIn(".heddle.toml", done.stderr)

    def test_the_worst_status_counts(self):
        good, bad = '[[target]]\nsources = ["good.c"]\n', '[[target]]\nsources = ["bad.c"]\n'
        missing = '[[target]]\nsources = ["missing.c"]\n'
        undecided = '[[target]]\nsources = ["good.c"]\noptions = ["--max-executions=1"]\n'
        for targets, status in ((good + undecided, 3), (undecided + bad, 1), (missing + bad, 2)):
            self.configure(targets)
            self.status(self.heddle("check", "--quiet"), status)

    def test_options_are_defaults(self):
        self.configure('options = ["--strategy=icb", "--output=json"]\n')
        folder = self.directory / "below"
        folder.mkdir()
        for words, strategy in ((["../good.c"], "icb"), (["../good.c", "--strategy=dfs"], "dfs")):
            done = self.run_in(folder, *words)
            self.assertEqual(json.loads(done.stdout)["strategy"], strategy)

    def run_in(self, folder, *words):
        here, self.directory = self.directory, folder
        try:
            return self.heddle("check", *words)
        finally:
            self.directory = here

    def test_mistakes(self):
        for text, says in (("options = 3", "options must be a list"), ("[[target]]", "needs sources"),
                           ("optons = []", "there is no optons"),
                           ('[[target]]\nsources = ["good.c"]\nprogram = "good"', "not both"),
                           ('[[target]]\nsources = ["good.c"]\nname = "a/b"', "slash"), ("= 3", ".heddle.toml:1:")):
            self.configure(text)
            done = self.heddle("check", "good.c")
            self.status(done, 2)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_files_of_others_are_not_read(self):
        self.configure("nonsense")
        os.chown(self.directory / ".heddle.toml", 65534, 65534)
        done = self.heddle("check", "good.c")
        self.status(done, 0)
        self.assertIn(".heddle.toml belongs to another user and is not read", done.stderr)

    def test_without_a_project_something_must_be_named(self):
        done = self.heddle("check")
        self.status(done, 2)
        self.assertIn("name a program", done.stderr)

    def test_last(self):
        done = self.heddle("last")
        self.status(done, 2)
        self.assertIn("no check has found a bug yet", done.stderr)
        self.status(self.heddle("check", "bad.c", "--quiet", "--strategy=icb"), 1)
        self.status(self.heddle("check", "good.c"), 0)
        done = self.run_last("/", "--strategy=dfs")
        self.status(done, 1)
        self.assertIn("check --strategy=dfs bad.c --quiet", done.stderr)
        self.file("bad.c", CORRECT)  # repaired
        self.status(self.run_last("/"), 0)

    def run_last(self, folder, *words):
        here, self.directory = self.directory, folder
        try:
            return self.heddle("last", *words)
        finally:
            self.directory = here

    def test_cache(self):
        self.status(self.heddle("check", "good.c"), 0)
        self.status(self.heddle("check", "bad.c", "--quiet"), 1)
        done = self.heddle("cache")
        self.status(done, 0)
        self.assertRegex(done.stdout, r"^2 programs, \d+\.\d MB in .*/cache/heddle/bin \(limit: 200 MB\)")
        with mock.patch.dict(os.environ, HEDDLE_CACHE_LIMIT="0"):
            self.status(self.heddle("check", "good.c"), 0)
        self.assertTrue(self.heddle("cache").stdout.startswith("1 program,"))  # the one in use
        self.assertTrue(self.heddle("cache", "clear").stdout.startswith("removed: 1 program,"))
        self.assertTrue(self.heddle("cache").stdout.startswith("0 programs,"))
        self.status(self.heddle("cache", "everything"), 2)


if __name__ == "__main__":
    unittest.main()
