#!/usr/bin/env python3
"""heddle replay in the debugger and after an edit of the program, and heddle explain."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
from command import DEADLOCK, HEDDLE, CommandTest  # noqa: E402

EXTRA = "#include <pthread.h>\npthread_mutex_t extra = PTHREAD_MUTEX_INITIALIZER;\nint more[100];\n"


ATOMIC = """#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> level;
int main() {
  std::thread other([] { ++level; });
  ++level;
  assert(level == 1);
  other.join();
}
"""

LINES = """#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int n;
void* work(void* p) {
  pthread_mutex_lock(&mutex);
  n += 1;
  pthread_mutex_unlock(&mutex);
  n += 2;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(n == 0);
}
"""

SPINNING = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int ready;
static void* wait(void* unused) {
  while (!atomic_load(&ready)) continue;
  return unused;
}
static void* forget(void* unused) {
  return unused;
}
int main(void) {
  pthread_t waiter, other;
  if (getenv("READY")) atomic_store(&ready, 1);
  pthread_create(&waiter, 0, wait, 0);
  pthread_create(&other, 0, forget, 0);
  pthread_join(waiter, 0);
  pthread_join(other, 0);
}
"""


# An interactive zsh behind a terminal, its tab key, and what it then shows.
ZSH = r"""zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; stty -echo; fpath=(. $fpath); autoload -Uz compinit _heddle; compinit -u -D
compdef _heddle heddle; echo re""ady'
zpty -r -m z seen '*ready*'
zpty -w -n z $'heddle exp\t'
zpty -r -m z seen '*explain*'; print -r -- "$seen"
zpty -w -n z $'\C-uheddle check --visible=\t\t'
zpty -r -m z seen '*all*sync*'; print -r -- "$seen"
zpty -d z
"""


# What happens depends on a file that is gone when the trace is replayed.
DEPENDS_ON_A_FILE = """
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int never, steps;
static void* run(void* unused) {
  ++steps;
  if (access("flag", F_OK) == 0) { THEN; } else { OTHERWISE; }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  ++steps;
  pthread_join(thread, 0);
}
"""
DIES = "syscall(SYS_exit_group, 5)"
DIES_BY_SIGNAL = "syscall(SYS_kill, getpid(), SIGKILL)"
LOOPS = "for (volatile int i = 0;; ++i) continue"
SPINS = "while (!never) continue"
FAILS = "assert(never)"


class Replay(CommandTest):
    def replay_without_the_file(self, then, otherwise=";"):
        """Exit statuses of the replay with the file, and without it."""
        program = self.file("depends.c", DEPENDS_ON_A_FILE.replace("THEN", then).replace("OTHERWISE", otherwise))
        flag = self.file("flag", "")
        self.status(self.heddle("check", program, "--watchdog=1", "--strategy=icb"), 1)
        first = self.heddle("replay", "depends.1.heddle-trace", "--watchdog=1").returncode
        os.remove(flag)
        second = self.heddle("replay", "depends.1.heddle-trace", "--watchdog=1").returncode
        os.remove(self.directory / "depends.1.heddle-trace")
        return first, second

    def test_a_death_shows_again_only_if_it_does(self):
        self.assertEqual(self.replay_without_the_file(DIES), (1, 3))
        self.assertEqual(self.replay_without_the_file(DIES, "syscall(SYS_exit_group, 6)"), (1, 3))
        self.assertEqual(self.replay_without_the_file(DIES, "syscall(SYS_exit_group, 5)"), (1, 1))
        self.assertEqual(self.replay_without_the_file(DIES, "++steps; syscall(SYS_exit_group, 5)"), (1, 3))

    def test_a_livelock_shows_again_only_if_it_does(self):
        self.assertEqual(self.replay_without_the_file(LOOPS), (1, 3))
        self.assertEqual(self.replay_without_the_file(SPINS), (1, 3))

    def test_another_bug_of_the_same_kind_is_not_the_same(self):
        self.assertEqual(self.replay_without_the_file(FAILS, "assert(never > 1)"), (1, 3))
        self.assertEqual(self.replay_without_the_file(FAILS), (1, 3))

    def build(self, source):
        self.file("prog.c", source)
        self.compile(HEDDLE, "cc", "-g", "prog.c", "-o", "prog")

    def trace(self, source=DEADLOCK):
        self.build(source)
        self.status(self.heddle("check", "./prog", "--quiet"), 1)
        return "prog.1.heddle-trace"

    def gdb(self, trace, *commands):
        done = subprocess.run([HEDDLE, "replay", trace, "--gdb"], cwd=self.directory, timeout=120,
                              input="\n".join(commands) + "\n", capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_gdb_shows_the_threads_and_their_stacks(self):
        text = self.gdb(self.trace(), "heddle-threads", "heddle-thread 0", "bt", "echo MARK\\n",
                        "heddle-thread 1", "bt", "heddle-thread 7")
        self.assertRegex(text, r"0  main +\w+ +next: locks y")
        self.assertRegex(text, r"1  work +\w+ +next: locks x")
        first, second = text.split("MARK")
        self.assertRegex(first.split("thread 0 (main)")[1], r"in main \(\) at prog\.c")
        self.assertNotIn("in work", first.split("thread 0 (main)")[1])
        self.assertRegex(second, r"in work \(p=0x0\) at prog\.c")
        self.assertIn("there is no thread 7", second)

    def test_gdb_shows_the_frames_of_the_program(self):
        text = self.gdb(self.trace(), "heddle back", "echo BEGIN\\n", "bt", "echo END\\n", "bt -no-filters")
        shown, rest = text.split("BEGIN", 1)[1].split("END", 1)
        self.assertIn("prog.c", shown)
        self.assertNotIn("heddle", shown)
        self.assertIn("heddle::", rest)

    def test_gdb_stops_in_the_source_of_the_program(self):
        self.file("prog.cc", ATOMIC)
        self.compile(HEDDLE, "c++", "-g", "prog.cc", "-o", "prog")
        self.status(self.heddle("check", "./prog", "--quiet"), 1)
        text = self.gdb("prog.1.heddle-trace", "heddle back", "heddle threads")
        before = text.split("[before step")[1]
        self.assertNotIn("/usr/include", before)
        self.assertRegex(before, r"at (.*/)?prog\.cc:\d+")
        self.assertRegex(before, r"atomically \w+( to)? level\n")

    def test_gdb_names_parts_of_variables(self):
        parts = DEADLOCK.replace("pthread_mutex_t x", "struct { int n; pthread_mutex_t lock; } "
                                 "all[3]; pthread_mutex_t unused")
        parts = re.sub(r"&x\b", "&all[2].lock", parts)
        self.assertIn("all[2].lock", parts)
        text = self.gdb(self.trace(parts), "heddle-threads")
        self.assertRegex(text, r"next: locks all\[2\]\.lock\n")
        self.assertRegex(text, r"next: locks y\n")

    def test_gdb_goes_by_steps_forward_and_back(self):
        text = self.gdb(self.trace(), "heddle-back", "heddle-back", "heddle-step", "heddle-run 2",
                        "heddle-step 50", "heddle-run x")
        positions = re.findall(r"\[(before step \d+|at the end) of \d+\]", text)
        self.assertEqual(positions[0], "at the end", text)
        steps = [int(p.split()[-1]) for p in positions[1:5]]
        self.assertEqual([steps[0] - 1, steps[0]], steps[1:3], text)
        self.assertEqual(steps[3], 2, text)
        self.assertEqual(positions[5], "at the end", text)
        self.assertIn("give a number", text)
        # The same as words of one command.
        text = self.gdb(self.trace(), "heddle back", "heddle back", "heddle next-step", "heddle until 2",
                        "heddle threads", "heddle thread 0")
        again = re.findall(r"\[(before step \d+|at the end) of \d+\]", text)
        self.assertEqual(again, positions[:5], text)
        self.assertIn("thread 0 (main), next:", text)

    def test_gdb_steps_by_lines_of_the_program(self):
        text = self.gdb(self.trace(LINES), "info breakpoints", "heddle until 1", "break prog.c:7", "continue",
                        "heddle threads", "echo STEPS\\n", "step", "next", "step", "echo BACK\\n", "heddle back",
                        "delete", "heddle until 3", "next", "next", "continue", "next", "info breakpoints")
        self.assertNotRegex(text, r"heddle_debug|heddle::|runtime/|Python Exception")
        self.assertEqual(text.count("No breakpoints or watchpoints"), 2, text)
        # Stopped by the user's breakpoint in the middle of a step; the lines that follow are the program's.
        self.assertRegex(text, r"\* +1 +work +running")
        steps, back = text.split("STEPS")[1].split("BACK")
        self.assertEqual(re.findall(r"^(?:\(gdb\) )*(\d+)\t", steps, re.M), ["8", "9", "10"], text)
        # To the beginning of the step, past the breakpoint on the way.
        self.assertIn("before step 4 of", back.split("]")[0])
        self.assertRegex(back, r"before step 3 of \d+\] thread 1 \(work\) locks mutex")
        # The line behind a call that the program stands in.
        inside, end = back.split("before step 3 of")[1].split("[at the end of")
        self.assertEqual(re.findall(r"^(?:\(gdb\) )*(\d+)\t", inside, re.M), ["6", "7", "8"], text)
        self.assertIn("the schedule ends here", end)

    def test_gdb_driven_by_an_editor(self):
        self.trace(LINES)
        commands = ["-enable-frame-filters", f"-file-exec-and-symbols {self.directory}/prog", "-exec-arguments",
                    "-break-insert -f prog.c:7", "-exec-run", "-exec-next", "-break-delete 1", "-exec-continue",
                    "-stack-list-frames", '-interpreter-exec console "heddle back"', "-gdb-exit"]
        driver = subprocess.Popen([HEDDLE, "replay", "prog.1.heddle-trace", "--gdb", "--", "--interpreter=mi"],
                                  cwd=self.directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(driver.stdout.close)
        answers = {}
        for command in commands:
            driver.stdin.write(command + "\n")
            driver.stdin.flush()
            wanted = "*stopped" if command.startswith("-exec-") and command != "-exec-arguments" else "^"
            lines = answers[command] = []
            for line in driver.stdout:
                lines.append(line)
                if line.startswith(wanted) or line.startswith("^error"):
                    break
        driver.stdin.close()
        rest = driver.stdout.read()
        self.assertEqual(driver.wait(60), 0)
        self.assertIn('bkptno="1"', answers["-exec-run"][-1])
        self.assertIn('reason="end-stepping-range"', answers["-exec-next"][-1])
        frames = re.findall(r'func="(\w+)"', answers["-stack-list-frames"][-1])
        self.assertEqual(frames[-1], "main", answers)
        self.assertNotIn("heddle", answers["-stack-list-frames"][-1])
        told = "".join("".join(lines) for lines in answers.values()) + rest
        self.assertRegex(told, r"\[at the end of \d+\]")
        self.assertRegex(told, r"\[before step \d+ of \d+\]")

    def test_words_for_gdb_need_gdb(self):
        done = self.heddle("replay", self.trace(), "--", "-x", "script")
        self.status(done, 2)
        self.assertIn("-x is for gdb, but --gdb is not given", done.stderr)

    def test_a_replay_survives_an_edit(self):
        trace = self.trace()
        self.build(EXTRA + DEADLOCK.replace(
            "pthread_mutex_lock(&y);\n  printf",
            "pthread_mutex_lock(&extra);\n  pthread_mutex_unlock(&extra);\n"
            "  pthread_mutex_lock(&y);\n  printf"))
        done = self.heddle("replay", trace)
        self.status(done, 2)
        self.assertIn("has changed since", done.stderr)
        self.assertIn("--trust runs it all the same", done.stderr)
        done = self.heddle("replay", "--trust", trace)
        self.status(done, 1)
        self.assertIn("has changed since", done.stderr)
        self.assertRegex(done.stdout, r'the deadlock showed again; (\d+) of \1 recorded steps were '
                                      r'taken, \d+ new; step \d+ is the first that differs: recorded'
                                      r' was "thread 1 locks y at .*", now "thread 1 locks extra"')

    def test_a_replay_notices_a_repair(self):
        trace = self.trace()
        source = DEADLOCK.replace("pthread_mutex_lock(&x);\n  pthread_mutex_lock(&y);",
                                  "pthread_mutex_lock(&y);\n  pthread_mutex_lock(&x);")
        self.build(source)
        done = self.heddle("replay", trace, "--trust")
        self.status(done, 3)
        self.assertIn("the deadlock does not show any more", done.stdout)

    def test_a_loop_that_ends_now_is_no_livelock(self):
        trace = self.trace(SPINNING)
        done = self.heddle("replay", trace)
        self.status(done, 1)
        self.assertIn("the livelock showed again", done.stdout)
        with mock.patch.dict(os.environ, READY="1"):
            done = self.heddle("replay", trace)
        self.status(done, 3)
        self.assertNotIn("showed again", done.stdout)

    def test_explain(self):
        trace = self.trace()
        done = self.heddle("explain", trace)
        self.status(done, 0)
        for text in ("waiting in a circle", "in words:", "Here it is preempted, before it locks",
                     "In the end:", "what to look at: take these locks in the same order"):
            self.assertIn(text, done.stdout)
        done = self.heddle("explain", trace, "--json")
        self.assertEqual(json.loads(done.stdout)["findings"][0]["kind"], "deadlock")
        (self.directory / "prog").unlink()
        done = self.heddle("explain", trace)
        self.status(done, 0)
        self.assertIn("locks y at prog.c", done.stdout)
        self.assertIn("cannot be read any more", done.stdout)

    def test_completions_are_accepted_by_the_shell(self):
        script = self.heddle("completion", "bash").stdout
        done = subprocess.run(["bash", "-c", script + """
COMP_WORDS=(heddle check --visible = a); COMP_CWORD=4; _heddle; echo "${COMPREPLY[@]}"
COMP_WORDS=(heddle ex); COMP_CWORD=1; _heddle; echo "${COMPREPLY[@]}"
"""], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["all", "explain"], done.stderr)
        for shell in ("zsh", "fish"):
            self.assertIn("keep-going", self.heddle("completion", shell).stdout)
        self.status(self.heddle("completion", "tcsh"), 2)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_completion_in_fish(self):
        self.file("heddle.fish", self.heddle("completion", "fish").stdout)
        done = subprocess.run(["fish", "-c", """source heddle.fish
complete -C "heddle ex"; complete -C "heddle check --visible="; complete -C "heddle completion f"
"""], capture_output=True, text=True, cwd=self.directory, timeout=60)
        self.assertEqual(done.stderr, "")
        offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
        self.assertEqual(offered, ["explain", "--visible=all", "--visible=sync", "fish"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_completion_in_zsh(self):
        self.file("_heddle", self.heddle("completion", "zsh").stdout)
        done = subprocess.run(["zsh", "-f", "-c", ZSH], capture_output=True, text=True,
                              cwd=self.directory, timeout=60)
        self.assertRegex(done.stdout, r"(?s)heddle explain.*all\W+sync", done.stderr)


if __name__ == "__main__":
    unittest.main()
