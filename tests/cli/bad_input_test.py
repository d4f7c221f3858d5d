"""Mistakes of the user: each is answered with one sentence and exit status 2."""
import json
import os
import re
import struct
import unittest
from unittest import mock

from command import CORRECT, DEADLOCK, CommandTest


class BadInput(CommandTest):
    def refused(self, *words, says=()):
        done = self.heddle(*words)
        self.status(done, 2)
        self.assertEqual(done.stdout, "", done.args)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, f"not one sentence: {done.stderr}")
        self.assertRegex(lines[0], r"^heddle: .*\w")
        for text in [says] if isinstance(says, str) else says:
            self.assertRegex(lines[0], re.compile(text, re.I))
        return lines[0]

    def failing_trace(self):
        source = self.file("deadlock.c", DEADLOCK)
        self.status(self.heddle("cc", "-g", source, "-o", "deadlock"), 0)
        done = self.heddle("check", "--json", "./deadlock")
        self.status(done, 1)
        return json.loads(done.stdout)["findings"][0]["trace_file"]

    def test_missing_file(self):
        self.refused("check", "nowhere", says="nowhere")
        self.refused("check", "nowhere.c", says="nowhere.c")
        self.refused("replay", "nowhere.trace", says="nowhere.trace")

    def test_empty_names(self):
        self.refused("check", "")
        self.refused("replay", "")

    def test_not_executable(self):
        self.refused("check", self.file("plain", "text"), says="not executable")

    def test_script(self):
        self.refused("check", self.file("script", "#!/bin/sh\n", 0o755), says="not an ELF")

    def test_empty_executable(self):
        self.refused("check", self.file("empty", "", 0o755), says="not an ELF")

    def test_directory(self):
        self.refused("check", self.directory, says="directory")
        self.refused("replay", self.directory, says="directory|not a trace")

    def test_device(self):
        self.refused("check", "/dev/null", says="regular file")

    def test_static_binary(self):
        self.file("program.c", CORRECT)
        for how in ("-static", "-static-pie"):
            self.compile("gcc", how, "-pthread", "program.c", "-o", "program")
            self.refused("check", "./program", says="is statically linked")

    def test_32_bit_binary(self):
        # A header is enough: class 32, i386, executable.
        ident = b"\x7fELF" + bytes([1, 1, 1, 0]) + bytes(8)
        header = ident + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0, 52, 0, 0, 52, 32, 0, 40, 0, 0)
        self.refused("check", self.file("small", header, 0o755), says="32-bit")

    def test_other_machine(self):
        ident = b"\x7fELF" + bytes([2, 1, 1, 0]) + bytes(8)
        header = ident + struct.pack("<HHIQQQIHHHHHH", 2, 183, 1, 0, 64, 0, 0, 64, 56, 0, 64, 0, 0)
        self.refused("check", self.file("arm", header, 0o755), says="x86-64")

    def test_truncated_binary(self):
        self.file("program.c", CORRECT)
        self.compile("gcc", "-pthread", "program.c", "-o", "program")
        whole = (self.directory / "program").read_bytes()
        for length in (20, 64, 300, len(whole) // 2):
            path = self.file("truncated", whole[:length], 0o755)
            done = self.heddle("check", path)
            self.assertEqual(done.returncode, 2, f"{length} bytes: {done.stdout}{done.stderr}")
            self.assertIn("heddle: ", done.stderr)

    def test_shared_library(self):
        self.file("program.c", CORRECT)
        self.compile("gcc", "-shared", "-fPIC", "-pthread", "program.c", "-o", "library.so")
        self.refused("check", "./library.so", says="is a shared library")

    def test_linked_with_libtsan(self):
        self.file("program.c", CORRECT)
        self.compile("gcc", "-fsanitize=thread", "-pthread", "program.c", "-o", "program")
        self.refused("check", "./program", says="ThreadSanitizer")

    def test_object_file(self):
        self.file("program.c", CORRECT)
        self.compile("gcc", "-c", "program.c", "-o", "program.o")
        done = self.heddle("check", "./program.o")
        if done.returncode == 2:
            self.assertIn("heddle: ", done.stderr)
        else:
            self.status(done, 0)

    def test_compile_error(self):
        source = self.file("broken.c", "int main(void) { return undeclared; }\n")
        done = self.heddle("check", source)
        self.status(done, 2)
        self.assertIn("undeclared", done.stderr)  # what the compiler said
        self.assertRegex(done.stderr, "heddle: ")

    def test_sources_that_cannot_be_read(self):
        self.refused("check", "plain/program.c", says="no file plain/program.c")
        self.refused("check", "x" * 300 + ".c", says="File name too long")

    def test_no_place_for_temporary_files(self):
        source = self.file("program.c", CORRECT)
        with mock.patch.dict(os.environ, TMPDIR="/proc"):
            self.refused("check", source, "-DPLACE", says="temporary files: .*; set TMPDIR")

    def test_link_error(self):
        source = self.file("broken.c", "void missing(void); int main(void) { missing(); }\n")
        done = self.heddle("check", source)
        self.status(done, 2)
        self.assertIn("missing", done.stderr)

    def test_unknown_option(self):
        self.refused("check", "--stratgy=dfs", "program", says="--stratgy")
        self.refused("check", "-K", "program", says="-K")
        self.refused("replay", "--frobnicate", "trace", says="--frobnicate")

    def test_unknown_command(self):
        self.refused("chekc", "program", says="chekc")

    def test_no_command(self):
        self.refused(says="command")

    def test_nothing_to_do(self):
        self.refused("check", says="name a program|source")
        self.refused("replay", says="trace")

    def test_bad_values(self):
        for option in ("--max-executions=-1", "--max-executions=many", "--max-executions=1e3",
                       "--max-executions=99999999999999999999999", "--max-executions=",
                       "--bound=-1", "--bound=two", "--bound=1.5", "--max-steps=0", "--time=soon",
                       "--time=-5", "--time=nan", "--seed=x", "--visible=some",
                       "--isolation=none", "--strategy=luck", "--watchdog=never",
                       "--pct-depth=0", "--keep-going=maybe-not"):
            with self.subTest(option):
                self.refused("check", option, "program", says=option.split("=")[0].strip("-"))

    def test_missing_value(self):
        self.refused("check", "program", "--strategy", says="strategy")

    def test_bound_that_the_strategy_ignores(self):
        # A limit that is silently ignored would make the verdict mean something else.
        source = self.file("program.c", CORRECT)
        self.refused("check", "--strategy=dfs", "--bound=1", source, says="bound")

    def test_unwritable_trace_directory(self):
        source = self.file("deadlock.c", DEADLOCK)
        done = self.heddle("check", "--trace-dir=/proc/nowhere", source)
        self.status(done, 1)  # the bug is worth more than its file
        self.assertIn("cannot write /proc/nowhere", done.stdout + done.stderr)

    def test_corrupt_trace(self):
        trace = self.directory / self.failing_trace()
        good = trace.read_bytes()
        damaged = {
            "empty": b"",
            "noise": os.urandom(4000),
            "zeros": bytes(4000),
            "text": b"this is not a trace\n",
            "half": good[: len(good) // 3],
            "version": re.sub(rb"\d+", b"999999", good, count=1),
        }
        for name, contents in damaged.items():
            with self.subTest(name):
                path = self.file(f"{name}.heddle-trace", contents)
                done = self.heddle("replay", path)
                self.assertEqual(done.returncode, 2, f"{name}: {done.stdout}{done.stderr}")
                self.assertIn("heddle: ", done.stderr)

    def test_every_line_of_a_trace_may_be_damaged(self):
        trace = self.directory / self.failing_trace()
        lines = trace.read_text().splitlines(keepends=True)
        for number in range(min(len(lines), 60)):
            changed = lines[:]
            changed[number] = changed[number][: len(changed[number]) // 2] + "\x01?\n"
            path = self.file("changed.heddle-trace", "".join(changed))
            done = self.heddle("replay", path)
            self.assertIn(done.returncode, (0, 1, 2, 3), f"{changed[number]}: {done.stderr}")

    def test_trace_of_another_program(self):
        trace = self.failing_trace()
        changed = self.file("deadlock.c", CORRECT)
        self.status(self.heddle("cc", "-g", changed, "-o", "deadlock"), 0)
        done = self.heddle("replay", "--trust", trace)
        self.status(done, 3)  # replayed as far as possible, but the bug is not there
        self.assertIn("did not show again", done.stdout)

    def test_trace_whose_program_is_gone(self):
        trace = self.failing_trace()
        (self.directory / "deadlock").unlink()
        self.refused("replay", trace, says="deadlock")


if __name__ == "__main__":
    unittest.main()
