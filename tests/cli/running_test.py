"""What a run looks like from outside: verdicts, limits, output, signals, wrappers."""
import json
import os
import pty
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from command import CORRECT, DEADLOCK, ENDLESS, HEDDLE, CommandTest
from under_way import MARK, forget_marks, wait_until_under_way

FIELDS = {"verdict", "guarantee", "executions", "blocked", "dismissed", "redundant", "events", "seconds",
          "strategy", "bound", "findings"}
FINDING_FIELDS = {"kind", "message", "location", "preemptions", "schedule", "trace_file"}


class Running(CommandTest):
    def endless(self):
        source = MARK + ENDLESS.replace("  return 0;", "  mark_execution();\n  return 0;")
        self.status(self.heddle("cc", self.file("endless.c", source), "-o", "endless"), 0)
        return "./endless"

    def document(self, done):
        document = json.loads(done.stdout)
        self.assertLessEqual(FIELDS, document.keys())
        for finding in document["findings"]:
            self.assertLessEqual(FINDING_FIELDS, finding.keys())
        return document

    def test_pass(self):
        done = self.heddle("check", self.file("correct.c", CORRECT))
        self.status(done, 0)
        self.assertNotIn("never shown", done.stdout + done.stderr)

    def test_json_of_a_pass(self):
        done = self.heddle("check", "--json", "--strategy=dfs", self.file("correct.c", CORRECT))
        self.status(done, 0)
        document = self.document(done)
        self.assertEqual((document["verdict"], document["findings"]), ("pass", []))
        self.assertTrue(document["guarantee"])
        self.assertEqual(done.stderr, "")

    def test_report_of_a_failure(self):
        done = self.heddle("check", self.file("deadlock.c", DEADLOCK))
        self.status(done, 1)
        self.assertRegex(done.stdout, "(?i)deadlock")
        self.assertIn("deadlock.c:", done.stdout)
        self.assertIn("heddle replay ", done.stdout)
        self.assertEqual(done.stdout.count("one execution printed this"), 1)
        self.assertNotIn("\x1b", done.stdout + done.stderr)  # not a terminal: no colours
        self.assertNotIn("\r", done.stderr)  # and no progress line

    def test_simplification_has_its_time(self):
        program = self.file("deadlock.c", DEADLOCK)
        hasty = self.heddle("check", program, "--strategy=random", "--json", "--minimise=0")
        self.status(hasty, 1)
        document = self.document(hasty)
        self.assertEqual(document["findings"][0]["simplification"], "cut-short")
        self.assertEqual(document["end_reason"], "first finding")
        patient = self.document(self.heddle("check", program, "--strategy=random", "--json", "--minimise=60"))
        self.assertEqual(patient["findings"][0]["simplification"], "done")
        text = self.heddle("check", program, "--strategy=random", "--minimise=0").stdout
        self.assertIn("no time to make this execution simpler", text)

    def test_ignored_kinds_are_those_of_the_table(self):
        program = self.file("deadlock.c", DEADLOCK)
        done = self.heddle("check", program, "--ignore=deadlock", "--strategy=dfs")
        self.status(done, 0)
        self.assertIn("findings of these kinds ignored: deadlock", done.stdout)
        done = self.heddle("check", program, "--ignore=bugs")
        self.status(done, 2)
        self.assertIn("deadlock assertion abort", done.stderr)

    def test_parts_that_heddle_did_not_compile_are_named(self):
        plain = "#include <pthread.h>\nstatic int n; void plain(void) { COUNT; }\n"
        main = ("#include <pthread.h>\nvoid plain(void);\nstatic void* run(void* p) { plain(); return p; }\n"
                "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); plain(); pthread_join(t, 0); }\n")
        self.file("main.c", main)
        self.file("plain.c", plain)
        for count, status in (("++n", 0), ("__atomic_fetch_add(&n, 1, 5)", 3)):
            self.compile("gcc", f"-DCOUNT={count}", "-c", "plain.c")
            self.compile("gcc", f"-DCOUNT={count}", "-shared", "-fPIC", "plain.c", "-o", "libplain.so")
            self.status(self.heddle("cc", "-c", "main.c"), 0)
            self.status(self.heddle("cc", "main.o", "plain.o", "-o", "with_object"), 0)
            self.status(self.heddle("cc", "main.o", "-L.", "-lplain", f"-Wl,-rpath,{self.directory}", "-o",
                                    "with_library"), 0)
            self.status(self.heddle("cc", "main.o", "-DCOUNT=(void)n", "plain.c", "-o", "whole"), 0)
            for program, part in (("with_object", "plain.c"), ("with_library", "libplain.so")):
                done = self.heddle("check", f"./{program}")
                self.status(done, status)
                self.assertIn(f"not seen in the parts that Heddle did not compile ({part})", done.stdout)
            done = self.heddle("check", "./whole")
            self.status(done, 0)
            self.assertNotIn("did not compile", done.stdout)

    def test_a_stripped_binary_hides_no_atomics(self):
        self.file("plain.c", "#include <pthread.h>\nstatic int n;\n"
                  "static void* run(void* p) { __atomic_fetch_add(&n, 1, 5); return p; }\n"
                  "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); }\n")
        self.compile("gcc", "-O1", "-s", "-pthread", "plain.c", "-o", "plain")
        done = self.heddle("check", "./plain")
        self.status(done, 3)
        self.assertIn("1 atomic instruction is not under control", done.stdout)

    def test_the_replay_line_works(self):
        done = self.heddle("check", self.file("deadlock.c", DEADLOCK))
        line = next(l for l in reversed(done.stdout.splitlines()) if "heddle replay " in l)
        words = line[line.index("heddle replay ") :].strip().split()
        replayed = self.heddle(*words[1:])
        self.status(replayed, 1)
        self.assertIn("deadlock", replayed.stdout)

    def test_json_of_a_failure(self):
        source = self.file("dead\"lock ü.c", DEADLOCK)  # names that need quoting
        done = self.heddle("check", "--json", source)
        self.status(done, 1)
        document = self.document(done)
        self.assertEqual(document["verdict"], "fail")
        trace = self.directory / document["findings"][0]["trace_file"]
        self.assertTrue(trace.is_file())
        self.status(self.heddle("replay", trace), 1)

    def test_execution_limit(self):
        done = self.heddle("check", "--json", "--max-executions=10", self.endless())
        self.status(done, 3)
        document = self.document(done)
        self.assertEqual((document["verdict"], document["executions"]), ("unknown", 10))

    def test_time_limit(self):
        program = self.endless()
        for isolation in ("reset", "fork"):
            begin = time.monotonic()
            done = self.heddle("check", "--json", "--time=1", f"--isolation={isolation}", program)
            self.status(done, 3)
            self.assertEqual(self.document(done)["verdict"], "unknown")
            self.assertTrue(0.8 < time.monotonic() - begin < 15)

    def test_interrupt(self):
        program = self.endless()
        for isolation in ("reset", "fork"):
            for number in (signal.SIGINT, signal.SIGTERM):
                forget_marks(self.directory)
                process = subprocess.Popen(
                    [HEDDLE, "check", "--json", f"--isolation={isolation}", program],
                    cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    start_new_session=True)
                wait_until_under_way(self.directory, process)
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 3, stdout + stderr)
                document = json.loads(stdout)
                self.assertEqual(document["verdict"], "unknown")
                self.assertGreater(document["executions"], 0)

    def test_interrupt_of_the_whole_group(self):
        # As a terminal sends it: to the tested process as well.
        process = subprocess.Popen([HEDDLE, "check", "--json", self.endless()], text=True,
                                   cwd=self.directory, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        wait_until_under_way(self.directory, process)
        os.killpg(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 3, stdout + stderr)
        self.assertEqual(json.loads(stdout)["verdict"], "unknown")

    def test_progress_on_a_terminal(self):
        program = self.endless()
        master, slave = pty.openpty()
        process = subprocess.Popen([HEDDLE, "check", "--time=2", program], cwd=self.directory,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        seen = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            seen += piece
        os.close(master)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 3)
        self.assertIn(b"executions", seen)
        self.assertIn(b"\r", seen)

    def test_no_process_is_left_behind(self):
        program = self.endless()
        self.heddle("check", "--time=1", program)
        self.heddle("check", "--time=1", "--isolation=fork", program)
        left = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") == str(self.directory):
                    left.append((process / "cmdline").read_text())
            except OSError:
                pass  # ended meanwhile
        self.assertEqual(left, [])

    def test_same_seed_same_result(self):
        source = self.file("deadlock.c", DEADLOCK)
        self.status(self.heddle("cc", "-g", source, "-o", "program"), 0)
        for strategy in ("random", "pct"):
            results = []
            for _ in range(2):
                done = self.heddle("check", "--json", f"--strategy={strategy}", "--seed=5",
                                   "./program")
                document = self.document(done)
                results.append((document["executions"],
                                [f["schedule"] for f in document["findings"]]))
            self.assertEqual(results[0], results[1])

    def test_sources_with_flags_and_arguments(self):
        source = self.file("flags.c", """
            #include <assert.h>
            #include <math.h>
            #include <pthread.h>
            #include <string.h>
            #include "extra.h"
            void* work(void* p) { return p; }
            int main(int argc, char** argv) {
              pthread_t t;
              assert(argc == 2 && strcmp(argv[1], "--json") == 0 && N == 3 && EXTRA == 1);
              assert(cbrt(argc * 4.0) == 2.0);
              pthread_create(&t, NULL, work, NULL);
              pthread_join(t, NULL);
              return 0;
            }
            """)
        (self.directory / "include").mkdir()
        self.file("include/extra.h", "#define EXTRA 1\n")
        done = self.heddle("check", source, "-DN=3", "-Iinclude", "-O2", "-std=gnu11", "-lm",
                           "-pthread", "--strategy=dfs", "--", "--json")
        self.status(done, 0)

    def test_several_sources(self):
        one = self.file("one.cc", "void two(); int main() { two(); }\n")
        two = self.file("two.cc", "#include <thread>\nvoid two() { std::thread([] {}).join(); }\n")
        self.status(self.heddle("check", one, two), 0)

    def test_wrappers(self):
        c, cxx = self.file("one.c", DEADLOCK), self.file("two.cc", DEADLOCK)
        self.status(self.heddle("cc", "-c", "-g", c, "-o", "one.o"), 0)
        self.status(self.heddle("cc", "one.o", "-o", "one"), 0)
        self.status(self.heddle("c++", "-g", "-O2", cxx, "-o", "two"), 0)
        for program in ("one", "two"):
            self.status(self.heddle("check", f"./{program}"), 1)
            needed = subprocess.run(["objdump", "-p", self.directory / program],
                                    capture_output=True, text=True).stdout
            self.assertNotIn("libtsan", needed)
        bad = self.heddle("cc", self.file("bad.c", "nonsense"))
        self.assertNotEqual(bad.returncode, 0)

    def test_wrapped_program_runs_by_itself(self):
        # A program compiled for checking is still a program.
        self.status(self.heddle("cc", self.file("correct.c", CORRECT), "-o", "program"), 0)
        alone = subprocess.run(["./program"], cwd=self.directory, capture_output=True, text=True,
                               timeout=20)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual(alone.stdout, "never shown\n" * 2)

    def test_plain_binary(self):
        self.file("deadlock.c", DEADLOCK)
        self.compile("gcc", "-g", "-pthread", "deadlock.c", "-o", "plain")
        self.status(self.heddle("check", "./plain"), 1)
        self.compile("gcc", "-g", "-no-pie", "-pthread", "deadlock.c", "-o", "fixed")
        self.status(self.heddle("check", "./fixed"), 1)

    def test_plain_binary_cannot_show_memory_accesses(self):
        self.file("correct.c", CORRECT)
        self.compile("gcc", "-g", "-pthread", "correct.c", "-o", "plain")
        done = self.heddle("check", "--visible=all", "./plain")
        self.status(done, 2)
        self.assertIn("heddle cc", done.stderr)

    def test_program_without_threads(self):
        done = self.heddle("check", "--json", self.file("one.c", "int main(void) { return 0; }\n"))
        self.status(done, 0)
        self.assertEqual(self.document(done)["executions"], 1)

    def test_replay_names_the_first_difference(self):
        # The program reads the environment, which a trace does not hold.
        source = self.file("env.c", """
            #include <assert.h>
            #include <pthread.h>
            #include <sched.h>
            #include <stdlib.h>
            pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            void* work(void* p) {
              if (getenv("OTHER_WAY")) sched_yield(); else pthread_mutex_lock(&m);
              assert(0);
              return p;
            }
            int main(void) {
              pthread_t t;
              pthread_create(&t, NULL, work, NULL);
              pthread_join(t, NULL);
              return 0;
            }
            """)
        self.status(self.heddle("cc", "-g", source, "-o", "env"), 0)
        done = self.heddle("check", "--json", "./env")
        trace = self.document(done)["findings"][0]["trace_file"]
        other = self.heddle("replay", trace, env={**os.environ, "OTHER_WAY": "1"})
        self.assertIn(other.returncode, (1, 3), other.stdout + other.stderr)
        self.assertIn("yield", other.stdout + other.stderr)
        self.assertIn("lock", other.stdout + other.stderr)

    def test_closed_descriptors(self):
        self.status(self.heddle("cc", self.file("prog.c", DEADLOCK), "-o", "prog"), 0)
        (self.directory / "t").mkdir()
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            done = subprocess.run(["sh", "-c", f'"$0" check ./prog --trace-dir=t {closed}', HEDDLE],
                                  cwd=self.directory, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, closed + done.stderr)
            trace = (self.directory / "t" / "prog.1.heddle-trace").read_text()
            self.assertTrue(trace.startswith("heddle-trace "), closed)
            self.assertNotIn("waiting in a circle", trace)

    def test_help_and_version(self):
        for words in (["--help"], ["check", "--help"], ["replay", "--help"], ["--version"]):
            done = self.heddle(*words)
            self.status(done, 0)
            self.assertTrue(done.stdout.strip())


if __name__ == "__main__":
    unittest.main()
