#!/usr/bin/env python3
"""Words that somebody new tries: mistyped ones, help and version, files that are no programs."""
import json
import re
import unittest
from pathlib import Path

from command import CORRECT, DEADLOCK, CommandTest


class WordsOfNewcomers(CommandTest):
    def refused(self, *words, says):
        done = self.heddle(*words)
        self.status(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)
        return done.stderr

    def test_did_you_mean(self):
        source = self.file("bank.c", CORRECT)
        self.refused("chekc", source, says="did you mean check?")
        self.refused("verison", says="did you mean version?")
        self.refused("check", source, "--strateg=icb", says="did you mean --strategy?")
        self.refused("check", source, "--keepgoing", says="did you mean --keep-going?")
        self.refused("check", source, "--strategy=optimal-dpro", says="did you mean optimal-dpor?")
        self.refused("check", source, "--visible=al", says="did you mean all?")
        self.refused("check", source, "--ignore=leak,dedlock", says="did you mean deadlock?")
        self.refused("check", source, "--output=jsno:a", says="did you mean json?")
        self.refused("replay", "x", "--gbd", says="did you mean --gdb?")
        self.refused("explain", "--code", "data-rac", says="did you mean data-race?")
        self.assertNotIn("did you mean", self.refused("frobnicate", says="there is no command"))
        self.assertNotIn("did you mean", self.refused("check", source, "--xyzzy=1", says="--xyzzy"))

    def test_a_program_without_a_command(self):
        self.file("bank.c", CORRECT)
        self.file("a program", "")
        self.refused("bank.c", says="did you mean: heddle check bank.c")
        self.refused("no such.cc", says="did you mean: heddle check 'no such.cc'")
        self.refused("a program", says="did you mean: heddle check 'a program'")

    def test_help_and_version(self):
        for command in ("check", "replay", "explain", "plot", "strategies", "support", "completion"):
            done = self.heddle("help", command)
            self.status(done, 0)
            self.assertEqual(done.stdout, self.heddle(command, "--help").stdout)
        self.status(self.heddle("help", "cc"), 0)
        self.refused("help", "chekc", says="did you mean check?")
        versions = {self.heddle(word).stdout for word in ("version", "-V", "--version")}
        self.assertEqual(len(versions), 1)
        self.assertRegex(versions.pop(), r"^heddle \d+\.\d+\.\d+\n$")

    def test_files_that_are_no_programs(self):
        self.file("a.c", CORRECT)
        self.compile("gcc", "-c", "a.c", "-o", "a.o")
        self.compile("ar", "rc", "a.a", "a.o")
        self.file("script", "#!/bin/sh -e\ntrue\n", mode=0o755)
        for name, says in (("a.o", "is an object file: link it first"),
                           ("a.a", "is an archive: link it into a program first"),
                           ("script", "is a script (#!/bin/sh -e)")):
            for mode in (0o644, 0o755):
                (self.directory / name).chmod(mode)
                self.refused("check", f"./{name}", says=says)

    def test_names_that_look_like_options(self):
        self.file("-x.c", DEADLOCK)
        done = self.heddle("check", "./-x.c")
        self.status(done, 1)
        command = re.search(r"^heddle (replay .*)$", done.stdout, re.MULTILINE).group(1)
        self.assertEqual(command, "replay ./-x.1.heddle-trace")
        self.status(self.heddle(*command.split()), 1)

    def test_the_problem_matcher_of_the_manual(self):
        manual = (Path(__file__).resolve().parents[2] / "docs/manual.md").read_text()
        pattern = json.loads('"' + re.search(r'"regexp": "(.*)"', manual).group(1) + '"')
        self.file("a file.c", DEADLOCK)
        done = self.heddle("check", "--quiet", "a file.c")
        found = [match for line in done.stdout.splitlines() if (match := re.match(pattern, line))]
        self.assertEqual(len(found), 1, done.stdout)
        self.assertEqual((found[0][1], found[0][4]), ("a file.c", "deadlock"))

    def test_explain_a_kind(self):
        kinds = [line.split()[0] for line in self.heddle("explain", "--code").stdout.splitlines()]
        self.assertIn("lost-wakeup", kinds)
        for kind in kinds:
            done = self.heddle("explain", "--code", kind)
            self.status(done, 0)
            for part in (f"{kind}:", "for example:", "what to do:"):
                self.assertIn(part, done.stdout)
        self.assertEqual(self.heddle("explain", "--code=race").stdout,
                         self.heddle("explain", "--code", "data-race").stdout)


if __name__ == "__main__":
    unittest.main()
