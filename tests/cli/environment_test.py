#!/usr/bin/env python3
"""Surroundings in which nothing can be run: one sentence that names the cause and the remedy."""
import os
import resource
import shutil
import subprocess
import unittest

from command import DEADLOCK, HEDDLE, CommandTest


class Environment(CommandTest):
    def setUp(self):
        super().setUp()
        self.file("prog.c", DEADLOCK)
        self.compile(HEDDLE, "cc", "-g", "prog.c", "-o", "prog")

    def refused(self, done, *says):
        self.status(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertNotIn("internal error", done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def limited(self, what, soft, hard=None):
        def limit():
            resource.setrlimit(what, (soft, soft if hard is None else hard))
        return subprocess.run([HEDDLE, "check", "./prog"], cwd=self.directory, capture_output=True,
                              text=True, timeout=60, preexec_fn=limit)

    def test_limits(self):
        for megabytes in (300, 4000, 1 << 20):
            self.refused(self.limited(resource.RLIMIT_AS, megabytes << 20),
                         f"limited to {megabytes} MB", "ulimit -v unlimited")
        self.refused(self.limited(resource.RLIMIT_STACK, 256 << 10), "limited to 256 KB", "ulimit -s")
        self.refused(self.limited(resource.RLIMIT_FSIZE, 1 << 20), "limited to 1024 KB", "ulimit -f")
        self.refused(self.limited(resource.RLIMIT_NOFILE, 16), "ulimit -n")

    def test_limits_that_can_be_lifted(self):
        infinite = resource.RLIM_INFINITY
        self.status(self.limited(resource.RLIMIT_STACK, 256 << 10, infinite), 1)
        self.status(self.limited(resource.RLIMIT_AS, 64 << 40, infinite), 1)

    def in_namespace(self, command):
        done = subprocess.run(["unshare", "-m", "sh", "-c", command + ' && exec "$0" check ./prog', HEDDLE],
                              cwd=self.directory, capture_output=True, text=True, timeout=60)
        if done.returncode != 2 and "unshare" in done.stderr:
            self.skipTest(done.stderr)
        return done

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount")
    def test_missing_file_systems(self):
        self.refused(self.in_namespace("mount -t tmpfs none /dev"), "/dev/null is not there", "mount")
        self.refused(self.in_namespace("mount -t tmpfs none /proc"), "/proc is not there", "mount")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give programs away")
    def test_setuid(self):
        program = self.directory / "prog"
        program.chmod(0o4755)
        self.status(self.heddle("check", "./prog"), 1)  # one's own
        shutil.chown(program, "nobody")
        program.chmod(0o4755)
        self.refused(self.heddle("check", "./prog"), "rights of its own", "cp ./prog copy")

    def test_closed_descriptors(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"$0" check ./prog {closed}', HEDDLE], timeout=60,
                                  cwd=self.directory, capture_output=True, text=True)
            self.status(done, 1)

    def test_a_trace_that_is_cut_off(self):
        self.status(self.heddle("check", "./prog"), 1)
        trace = self.directory / "prog.1.heddle-trace"
        text = trace.read_text()
        for length in range(len("heddle-trace 1\n"), len(text) - 1, 101):
            trace.write_text(text[:length])
            self.refused(self.heddle("explain", "prog.1.heddle-trace"), "cut off", "run heddle check again")


if __name__ == "__main__":
    unittest.main()
