#!/usr/bin/env python3
"""There is a manual page for every command, without a mistake, and it knows every option.

    man_pages_test.py HEDDLE BUILD-DIRECTORY
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
HEDDLE = BUILD = None
PAGE_OF = {"c++": "cc"}  # two commands, one page


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def help_of(*words):
    done = run(HEDDLE, *words, "--help")
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands():
    return re.findall(r"^  heddle (\S+)", help_of(), re.MULTILINE)


def page_of(command):
    name = f"heddle-{PAGE_OF.get(command, command)}.1"
    return next((p for p in (DOCS / name, BUILD / "src/cli" / name) if p.exists()), None)


def options_of_page(page, of_lists=False):
    """The long options that a page names, or those that its lists describe."""
    lines = re.findall(r"^\.It .*" if of_lists else r"^\..*", page.read_text(), re.MULTILINE)
    return {option for line in lines for option in re.findall(r"Fl -([a-z][a-z-]*)", line)}


class ManPages(unittest.TestCase):
    def test_every_command_has_one(self):
        self.assertGreaterEqual(len(commands()), 9)
        for command in commands():
            self.assertIsNotNone(page_of(command), command)
            self.assertIn(f"heddle-{command}", page_of(command).read_text())
            self.assertTrue(f"Cm {command}" in (DOCS / "heddle.1").read_text() or command in PAGE_OF)

    def test_they_are_free_of_mistakes(self):
        checkers = [words for words in (["mandoc", "-T", "lint", "-W", "warning"],
                                        ["groff", "-mdoc", "-ww", "-z", "-Tutf8"])
                    if shutil.which(words[0])]
        self.assertTrue(checkers, "neither mandoc nor groff is installed")
        for page in {DOCS / "heddle.1", *map(page_of, commands())}:
            for words in checkers:
                done = run(*words, str(page))
                self.assertEqual(done.stdout + done.stderr, "", f"{words[0]} on {page.name}")

    def test_a_mistake_would_be_noticed(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        with tempfile.NamedTemporaryFile("w", suffix=".1") as page:
            page.write((DOCS / "heddle-plot.1").read_text() + ".El\n.Nonsense\n")
            page.flush()
            done = run("mandoc", "-T", "lint", "-W", "warning", page.name)
            self.assertNotEqual(done.stdout + done.stderr, "")

    def test_they_know_every_option_and_no_other(self):
        for command in ("check", "replay", "explain", "plot"):
            told = set(re.findall(r"^  --([a-z][a-z-]*)", help_of(command), re.MULTILINE))
            self.assertGreater(len(told), 3)
            self.assertEqual(told - options_of_page(page_of(command)) - {"help"}, set(), command)
            if command == "check":
                lists = options_of_page(page_of(command), of_lists=True)
                self.assertEqual(told - {"help"}, lists)

    def test_they_know_every_strategy(self):
        table = run(HEDDLE, "strategies").stdout.split("\n\n")[0]
        listed = re.findall(r"^([a-z][a-z0-9-]+)\s", table, re.MULTILINE)
        text = (DOCS / "heddle.1").read_text()
        for name in ("portfolio", "icb", "switches", "rff"):
            self.assertIn(name, listed)
        self.assertEqual([name for name in listed if name not in text], [])

    def test_they_know_every_filter(self):
        table = run(HEDDLE, "strategies").stdout.split("\n\n")[2]
        listed = [name.split(":")[0] for name in re.findall(r"^([a-z][a-z:N-]+)\s", table, re.MULTILINE)]
        listed.remove("filter")
        self.assertEqual(sorted(listed)[:2], ["depth", "local-cycles"])
        pages = (DOCS / "heddle.1").read_text() + page_of("check").read_text()
        self.assertEqual([name for name in listed if name not in pages], [])

    def test_completions_know_every_strategy(self):
        table = run(HEDDLE, "strategies").stdout.split("\n\n")[0]
        listed = re.findall(r"^([a-z][a-z0-9-]+)\s", table, re.MULTILINE)[1:]
        for shell in ("bash", "zsh", "fish"):
            words = set(re.findall(r"[a-z][a-z0-9-]*", run(HEDDLE, "completion", shell).stdout))
            self.assertEqual([name for name in listed if name not in words], [], shell)


if __name__ == "__main__":
    HEDDLE, BUILD = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
