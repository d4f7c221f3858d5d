#!/usr/bin/env python3
"""What may be started and loaded: traces from elsewhere, HEDDLE_LIBRARY, folders that were left."""
import os
import re
import shutil
import subprocess
import time
import unittest
from pathlib import Path
from unittest import mock

from command import DEADLOCK, HEDDLE, CommandTest


class Trust(CommandTest):
    def trace(self):
        self.file("prog.c", DEADLOCK)
        self.compile(HEDDLE, "cc", "-g", "prog.c", "-o", "prog")
        self.status(self.heddle("check", "./prog"), 1)
        return self.directory / "prog.1.heddle-trace"

    def refused(self, *words, says):
        done = self.heddle("replay", *words)
        self.status(done, 2)
        self.assertIn(says, done.stderr)
        self.assertIn("it was not run; --trust runs it all the same", done.stderr)

    def test_a_trace_of_somebody_else(self):
        trace = self.trace()
        self.status(self.heddle("replay", trace), 1)
        with mock.patch.dict(os.environ, XDG_STATE_HOME=str(self.directory), HOME="/nowhere"):
            self.refused(trace, says="was not written by this user's heddle check")
            self.status(self.heddle("replay", "--trust", trace), 1)
            self.status(self.heddle("explain", trace), 0)  # runs nothing

    def test_a_trace_cannot_be_made_to_run_something_else(self):
        trace = self.trace()
        text = trace.read_text()
        marker = self.directory / "marker"
        program = next(line for line in text.splitlines() if line.startswith("program "))
        changes = {
            "another program": text.replace(program, f"program /bin/sh\nargument -c\nargument touch {marker}"),
            "an argument": text.replace(program, f"{program}\nargument touch"),
            "a setting": text.replace("\nsetting ", "\nsetting leaks=off\nsetting ", 1),
            "no seal": "".join(line for line in text.splitlines(keepends=True)
                               if not line.startswith("setting seal=")),
        }
        for name, changed in changes.items():
            with self.subTest(name):
                self.assertNotEqual(changed, text)
                trace.write_text(changed)
                self.refused(trace, says="could name any program")
                self.assertFalse(marker.exists())

    def test_another_program_than_the_one_given(self):
        trace = self.trace()
        shutil.copy(self.directory / "prog", self.directory / "copy")
        self.status(self.heddle("replay", trace, "--program=prog"), 1)
        self.refused(trace, "--program=copy", says="is about")
        self.status(self.heddle("replay", trace, "--program=copy", "--trust"), 1)

    def test_a_program_that_was_built_anew(self):
        trace = self.trace()
        self.compile(HEDDLE, "cc", "-g", "-DANEW", "-O0", "prog.c", "-o", "prog")
        self.refused(trace, says="has changed since")
        self.status(self.heddle("replay", trace, "--trust"), 1)

    def test_the_library_is_looked_at(self):
        program = self.file("prog.c", DEADLOCK)
        library = Path(HEDDLE).parent.parent / "runtime/libheddle.so"
        writable = self.directory / "libheddle.so"
        shutil.copy(library, writable)
        writable.chmod(0o777)
        for chosen, says in ((self.file("text.so", "no library"), "is not Heddle's library"),
                             ("/lib/x86_64-linux-gnu/libc.so.6", "is not Heddle's library"),
                             ("/nowhere.so", "is not a file"), (writable, "everybody may write to")):
            with mock.patch.dict(os.environ, HEDDLE_LIBRARY=str(chosen)):
                done = self.heddle("check", program)
            self.status(done, 2)
            self.assertIn(f"HEDDLE_LIBRARY names {chosen}, which {says}", done.stderr)
        writable.chmod(0o755)
        with mock.patch.dict(os.environ, HEDDLE_LIBRARY=str(writable)):
            self.status(self.heddle("check", program), 1)

    def test_folders_that_were_left_are_removed(self):
        place = self.directory / "tmp"
        place.mkdir()
        left, fresh, used, foreign = (place / name for name in (
            "heddle-build-aaaaaa", "heddle-build-bbbbbb", "heddle-build-cccccc", "other-build-dddddd"))
        for folder in (left, fresh, used, foreign):
            folder.mkdir()
            (folder / "0-a.o").touch()
        for folder in (left, used, foreign):
            os.utime(folder, (time.time() - 3600,) * 2)
        with subprocess.Popen(["flock", used, "cat"], stdin=subprocess.PIPE):
            deadline = time.time() + 20
            while time.time() < deadline:
                if subprocess.run(["flock", "-n", used, "true"]).returncode != 0:
                    break
            with mock.patch.dict(os.environ, TMPDIR=str(place)):
                self.file("prog.c", DEADLOCK)
                self.status(self.heddle("cc", "prog.c", "-o", "prog"), 0)
            self.assertEqual([left.exists(), fresh.exists(), used.exists(), foreign.exists()],
                             [False, True, True, True])
        self.assertEqual(len(list(place.iterdir())), 3)  # its own is gone, too


# The thread's name, what it prints and the assertion would change the colour and the title of a terminal.
CONTROLS = """#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int pthread_setname_np(pthread_t, const char*);
void* work(void* p) { printf("out \\033]0;title\\007\\r\\n"); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_setname_np(t, "\\033[2Jname");
  pthread_join(t, NULL);
  assert(0);
}
"""


class Terminal(CommandTest):
    def test_nothing_of_a_program_or_a_trace_reaches_the_terminal_as_a_command(self):
        self.status(self.heddle("check", self.file("program.c", CONTROLS), "--output=text:report.txt"), 1)
        raw = (self.directory / "program.1.heddle-trace").read_bytes()
        trace = self.directory / "from_elsewhere.heddle-trace"
        trace.write_bytes(raw.replace(b"message assertion ", b"message assertion \x1b[5n\xc2\x9b5n", 1))
        self.assertNotEqual(raw, trace.read_bytes())
        for words in (["check", "program.c"], ["check", "program.c", "--quiet"], ["explain", trace],
                      ["replay", "--trust", trace], ["check", "nowhere\x1b[5n.c"]):
            done = self.heddle(*words)
            text = done.stdout + done.stderr + (self.directory / "report.txt").read_text()
            self.assertFalse(set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text.replace("\r\n", ""))), text)
        self.assertIn(r"\x1b[5n\x9b5n", self.heddle("explain", trace).stdout)
        for shown in (r"\x1b]0;title\x07", r"\x1b[2Jname"):
            self.assertIn(shown, (self.directory / "report.txt").read_text())


if __name__ == "__main__":
    unittest.main()
