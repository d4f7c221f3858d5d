#!/usr/bin/env python3
"""With a terminal: Ctrl-C, Ctrl-Z and programs that read from it, under job control of a shell.

    terminal_test.py HEDDLE
"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SEARCH = r"""
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* p) { for (int i = 0; i < 14; i++) atomic_fetch_add(&x, 1); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""
READS = r"""
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static void* work(void* p) { return p; }
int main(void) {
  char c = 0;
  int terminal = open("/dev/tty", O_RDWR);
  if (read(terminal, &c, 1) != 1 || c != 'y') return 1;
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
"""


class Terminal:
    """A shell with job control."""

    def __init__(self, folder):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.text = ""
        self.type("PS1='ready> '\n")

    def type(self, text):
        os.write(self.descriptor, text.encode())

    def expect(self, pattern, seconds=30):
        end = time.time() + seconds
        while not re.search(pattern, self.text):
            if time.time() > end:
                raise SystemExit(f"no {pattern!r} in:\n{self.text}")
            if select.select([self.descriptor], [], [], 0.1)[0]:
                self.text += os.read(self.descriptor, 65536).decode(errors="replace")
        at = re.search(pattern, self.text).end()
        seen, self.text = self.text[:at], self.text[at:]
        return seen

    def close(self):
        self.type("exit\n")
        try:
            while os.read(self.descriptor, 65536):
                pass
        except OSError:  # the shell has gone
            pass
        os.close(self.descriptor)
        os.waitpid(self.pid, 0)


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as folder:
        for name, source in (("search", SEARCH), ("reads", READS)):
            (Path(folder) / f"{name}.c").write_text(source)
            subprocess.run([heddle, "cc", "-g", f"{folder}/{name}.c", "-o", f"{folder}/{name}"], check=True)
        search = f"{heddle} check ./search --strategy=dfs --races=off; echo status=$?\n"
        shell = Terminal(folder)
        shell.type(search)
        shell.expect("executions")  # of the live line
        shell.type("\x03")
        assert "interrupted" in shell.expect(r"status=3"), "Ctrl-C"

        shell.type(search.replace("; echo status=$?", ""))
        shell.expect("executions")
        shell.type("\x1a")
        shell.expect("Stopped")
        states = subprocess.run(["ps", "-s", str(shell.pid), "-o", "state,args"], capture_output=True, text=True).stdout
        stopped = [line for line in states.splitlines() if line.endswith("./search") and "check" not in line]
        assert stopped and all(line.startswith("T") for line in stopped), f"Ctrl-Z: {stopped}"
        shell.type("fg\n")
        shell.expect("executions")
        shell.type("\x03")
        shell.expect("interrupted")
        shell.type("echo o''ver\n")
        shell.expect("over\r")

        shell.type(f"{heddle} check ./reads --strategy=icb; echo status=$?\n")
        shell.type("yyyyyyyy\n")  # read when the program asks for it
        shell.expect("status=0")
        shell.close()
    print("passed")


main()
