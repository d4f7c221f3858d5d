#!/usr/bin/env python3
"""Sessions: a search that is killed again and again comes to the same as one that is not.

    session_test.py HEDDLE [SEED]

HEDDLE_TESTS=all kills much more often.
"""
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HEDDLE = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
ALL = os.environ.get("HEDDLE_TESTS") == "all"
LEAST_KILLS = 3  # a search that is soon over is not killed more often
EARLY_KILLS = 12 if ALL else 3  # that leave little time
PROGRAM = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
bool always(void) { return true; }
static atomic_int x;
static void* change(void* factor) {
  for (int i = 0; i < N; i++) {
    const int before = atomic_fetch_add(&x, factor != 0 ? 1 << i : 1 << (N + i));
#ifdef BUG
    if (factor == 0 && i == 0) assert(before != (1 << N) - 1);  // the last that a search tries
#else
    (void)before;
#endif
  }
  return factor;
}
int main(void) {
  pthread_t a, b;
#ifdef NEEDS
  assert(getenv("NEEDED") != NULL);
#endif
  pthread_create(&a, NULL, change, NULL);
  pthread_create(&b, NULL, change, &x);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


def searching(process):
    """Its children, but for the compiler."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return [int(child) for child in children
                if os.readlink(f"/proc/{child}/exe").split("/")[-1].startswith("adds")]
    except OSError:
        return []


class Sessions(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = Path(self.place.name)
        (self.folder / "adds.c").write_text(PROGRAM)
        self.session = self.folder / "session"
        self.dice = random.Random(SEED)

    def heddle(self, *words, folder=None):
        return subprocess.run([HEDDLE, *words], text=True, capture_output=True, check=False,
                              cwd=folder or self.folder)

    def check(self, *words):
        return self.heddle("check", "adds.c", *words)

    def start(self, *words):
        """In a process group of its own, with the report as JSON in a file."""
        out = tempfile.TemporaryFile("w+", dir=self.folder)
        self.addCleanup(out.close)
        run = subprocess.Popen([HEDDLE, *words], stdout=out, stderr=subprocess.PIPE, text=True,
                               cwd=self.folder, start_new_session=True)
        self.addCleanup(run.stderr.close)
        return run, out

    def look(self, query):
        """One value of the session, or None."""
        try:
            with sqlite3.connect(f"file:{self.session}?mode=rw", uri=True) as database:
                row = database.execute(query).fetchone()
        except sqlite3.Error:
            return None
        finally:
            if "database" in locals():
                database.close()
        return row[0] if row else None

    def executions(self):
        return self.look("SELECT value FROM totals WHERE name = 'executions'") or 0

    def begin_or_resume(self, words, jobs):
        if self.session.exists():
            os.environ["PADDING"] = "." * self.dice.randrange(5000)  # moves the stack
            return self.start("resume", str(self.session), "--json", jobs)
        return self.start("check", "adds.c", "--json", "--session=session", jobs, *words)

    def killed_and_resumed(self, words, jobs):
        """The report in the end, and how often everything was killed before."""
        kills = 0
        while True:
            run, out = self.begin_or_resume(words, jobs)
            # So that something comes of it: some may finish shares before they are killed.
            shares = int(kills % 4 == 1) if kills < EARLY_KILLS else self.dice.randrange(3)
            before, seen, last = self.executions(), 0, None
            until = None
            while run.poll() is None:
                now = self.executions()
                if last is not None and now != last:
                    seen += 1
                last = now
                if until is None and seen >= shares:
                    until = time.monotonic() + self.dice.random() * 0.5
                if until is not None and time.monotonic() >= until:
                    if self.dice.random() < 0.2:  # one that searches goes first
                        for child in searching(run.pid)[:1]:
                            os.kill(child, signal.SIGKILL)
                        time.sleep(self.dice.random() * 0.05)
                    os.killpg(run.pid, signal.SIGKILL)
                    run.wait()
                    break
                time.sleep(0.005)
            if run.returncode != -signal.SIGKILL:
                self.assertIn(run.returncode, (0, 1), f"seed {SEED}: {run.stderr.read()}")
                out.seek(0)
                return json.loads(out.read()), kills
            kills += 1
            self.assertGreaterEqual(self.executions(), before, f"seed {SEED}")
            self.assertLess(kills, 500, f"seed {SEED}: comes to no end")

    def same(self, words, jobs, keys=("verdict", "executions", "events", "guarantee", "bound")):
        one = json.loads(self.check("--json", *words).stdout)
        killed, kills = self.killed_and_resumed(words, jobs)
        for key in keys:
            self.assertEqual(killed[key], one[key], f"{words} {jobs}, seed {SEED}: {key}")
        self.assertGreaterEqual(kills, LEAST_KILLS, f"seed {SEED}")
        status = json.loads(self.heddle("status", "session", "--json").stdout)
        self.assertEqual((status["verdict"], status["executions"], status["items"]),
                         (one["verdict"], one["executions"], 0))
        self.assertEqual(status["search"], "divided")  # to its end
        return one

    def test_dfs(self):
        one = self.same(["--strategy=dfs", "-DN=8"], "-j1")
        self.assertEqual((one["verdict"], one["bound"]), ("pass", None))

    def test_icb(self):
        one = self.same(["--strategy=icb", "--bound=7", "-DN=11"], "-j2")
        self.assertEqual((one["verdict"], one["bound"]), ("pass", 7))

    def test_classes(self):
        one = self.same(["--strategy=optimal-dpor", "-DN=11"], "-j1",
                        keys=("verdict", "executions", "guarantee"))
        self.assertEqual(one["executions"], math.comb(22, 11))

    @unittest.skipUnless(ALL, "HEDDLE_TESTS=all")
    def test_the_others(self):
        for strategy in ("delays", "switches", "source-dpor", "dpor", "sleep-sets"):
            with self.subTest(strategy):
                self.session.unlink(missing_ok=True)
                sizes = {"delays": ["--bound=8", "-DN=11"], "switches": ["--bound=8", "-DN=11"]}
                self.same([f"--strategy={strategy}", *sizes.get(strategy, ["-DN=11"])], "-j2",
                          keys=("verdict", "executions", "guarantee"))

    def test_bug(self):
        options = ["--strategy=optimal-dpor", "-DN=10", "-DBUG"]
        one = json.loads(self.check("--json", *options).stdout)
        run, _ = self.start("check", "adds.c", "--session=session", "--json", *options)
        while run.poll() is None and self.look("SELECT value FROM session WHERE key = 'phase'") != b"\2":
            time.sleep(0.005)
        os.killpg(run.pid, signal.SIGKILL)  # where one process makes the whole search
        self.assertEqual(run.wait(), -signal.SIGKILL)
        resumed = self.heddle("resume", "session", "--json")
        self.assertEqual(resumed.returncode, 1, resumed.stderr)
        two = json.loads(resumed.stdout)
        self.assertEqual([f["schedule"] for f in two["findings"]],
                         [f["schedule"] for f in one["findings"]])
        self.assertEqual(two["executions"], one["executions"])
        again = self.heddle("resume", "session")
        self.assertEqual(again.returncode, 1)
        self.assertIn("ended: fail (first finding)", again.stdout)
        last = self.heddle("status", "session")
        self.assertEqual((last.returncode, last.stdout), (0, again.stdout))

    def test_limits_and_interrupts(self):
        options = ["--strategy=optimal-dpor", "-DN=12", "-DNEEDS"]
        os.environ["NEEDED"] = ""
        first = self.check("--session=session", "--time=0.7", *options)
        del os.environ["NEEDED"]
        self.assertEqual(first.returncode, 3, first.stdout + first.stderr)
        self.assertIn(f"heddle resume {self.session} goes on from here", first.stdout)
        open_status = self.heddle("status", "session").stdout
        self.assertIn("heddle resume session goes on", open_status)
        self.assertIn("optimal-dpor", open_status)
        self.assertNotIn("items:      0 open", open_status)
        told = json.loads(self.heddle("status", "session", "--json").stdout)
        self.assertGreater(told["executions"], 1)  # what was under way when time was up
        self.assertIsNone(told["verdict"])
        before = self.executions()
        run, out = self.start("resume", str(self.session), "--json", "--time=1000")
        while run.poll() is None and self.executions() == before:
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGSTOP)  # so that it cannot end meanwhile
        busy = self.heddle("resume", "session")
        self.assertEqual(busy.returncode, 2)
        self.assertIn("going on", busy.stderr)
        run.send_signal(signal.SIGINT)
        os.kill(run.pid, signal.SIGCONT)
        self.assertEqual(run.wait(), 3, run.stderr.read())
        out.seek(0)
        report = json.loads(out.read())
        self.assertEqual(report["executions"],
                         json.loads(self.heddle("status", "session", "--json").stdout)["executions"])
        end = self.heddle("resume", str(self.session), "--json", "--time=1000", folder="/")
        self.assertEqual(end.returncode, 0, end.stderr)
        self.assertEqual(json.loads(end.stdout)["executions"], math.comb(24, 12))
        # Nothing is searched a second time.
        self.assertEqual(json.loads(self.heddle("resume", "session", "--json").stdout)["executions"],
                         math.comb(24, 12))

    def refused(self, words, *sentence):
        done = self.heddle(*words)
        self.assertEqual(done.returncode, 2, f"{words}: {done.stdout}{done.stderr}")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in sentence:
            self.assertIn(part, done.stderr)

    def test_what_cannot_be_kept(self):
        for options in (["--strategy=pos"], [], ["--strategy=dfs", "--keep-going"],
                        ["--strategy=cb-por-1"], ["--strategy=icb", "--max-executions=3"],
                        ["--strategy=dfs", "--filter=seen"]):
            self.refused(["check", "adds.c", "-DN=2", "--session=session", *options],
                         "--session", "divided", "dfs", "icb", "optimal-dpor")
            self.assertFalse(self.session.exists())
        self.refused(["check", "adds.c", "-DN=2", "--strategy=dfs", "--session="], "--session")
        self.refused(["check", "adds.c", "-DN=2", "--strategy=dfs", "--session=no/session"],
                     "no/session")

    def test_refused_programs_leave_no_session(self):
        (self.folder / "forks.c").write_text("#include <unistd.h>\nint main(void) { return fork(); }")
        self.refused(["check", "forks.c", "--strategy=dfs", "--session=session"], "fork")
        self.assertEqual([f.name for f in self.folder.glob("session*")], [])

    def test_files_that_are_no_session(self):
        (self.folder / "text").write_text("no database\n" * 1000)
        (self.folder / "empty").write_text("")
        with sqlite3.connect(self.folder / "other") as database:
            database.execute("CREATE TABLE session (key TEXT, value BLOB)")
        database.close()
        for name, said in (("text", "no session"), ("empty", "no session"), ("other", "no session"),
                           ("missing", "missing"), (".", "."), ):
            self.refused(["resume", name], said)
            self.refused(["status", name], said)
            if name != "missing":
                self.refused(["check", "adds.c", "-DN=2", "--strategy=dfs", f"--session={name}"],
                             "is there already")
        self.assertEqual((self.folder / "empty").read_text(), "")
        for words in (["resume"], ["status"], ["resume", "a", "b"], ["status", "a", "b"],
                      ["resume", "text", "--strategy=icb"], ["resume", "text", "-j0"]):
            self.refused(words, "")

    def unfinished(self, *words):
        done = self.heddle("check", "--session=session", "--strategy=dfs", "--time=0.3", *words)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)

    def test_another_program(self):
        build = lambda n: subprocess.run([HEDDLE, "cc", f"-DN={n}", "adds.c", "-o", "adds",
                                          "-pthread"], cwd=self.folder, check=True)
        build(9)
        (self.folder / "properties").write_text("always\n")
        self.unfinished("./adds", "--properties=properties")
        (self.folder / "properties").write_text("always but once\n")
        self.refused(["resume", "session"], "files", "changed")
        (self.folder / "properties").write_text("always\n")
        build(8)
        self.refused(["resume", "session"], "adds", "built")
        build(9)
        with sqlite3.connect(self.session) as database:
            database.execute("UPDATE session SET value = ? WHERE key = 'heddle'", (b"0.1.0 (x)",))
        database.close()
        self.refused(["resume", "session"], "heddle 0.1.0")

    def test_small_searches(self):
        done = self.check("--session=session", "--strategy=dfs", "-DN=0")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ended: pass", self.heddle("status", "session").stdout)
        self.assertEqual(self.heddle("resume", "session").returncode, 0)
        self.refused(["check", "adds.c", "-DN=0", "--strategy=dfs", "--session=session"],
                     "there already", "resume")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
