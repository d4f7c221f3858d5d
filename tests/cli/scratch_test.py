#!/usr/bin/env python3
"""--scratch: what the program writes is gone before the next execution, and the user's files stay.

    scratch_test.py HEDDLE
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Constructors write, too; what they wrote belongs to the state in which every execution begins.
PROGRAM = r"""
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void early(void) {
  FILE* file = fopen("early", "a");
  if (file == NULL) return;
  fputs("e", file);
  fclose(file);
}

static void* append(void* unused) {
  FILE* file = fopen("made/by/threads", "a");
  assert(file != NULL);
  fputs("x", file);
  fclose(file);
  return unused;
}

static void change_what_is_there(void) {
  struct stat status;
  assert(stat("early", &status) == 0 && status.st_size == 1);
  assert(truncate("early", 0) == 0);
  char line[20] = "";
  FILE* kept = fopen("kept", "r+");
  assert(kept != NULL && fgets(line, sizeof line, kept) != NULL && strcmp(line, "mine\n") == 0);
  rewind(kept);
  fputs("yours", kept);
  fclose(kept);
  assert(unlink("gone") == 0 && access("gone", F_OK) != 0);
  assert(rename("old", "new") == 0 && rename("directory/file", "file") == 0);
  assert(rmdir("directory") == 0 && symlink("kept", "link") == 0);
  // Not through libc's functions for files.
  const long raw = syscall(SYS_openat, AT_FDCWD, "raw", O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(raw >= 0 && syscall(SYS_write, raw, "r", 1) == 1 && syscall(SYS_close, raw) == 0);
}

int main(void) {
  struct stat status;
  assert(mkdir("made", 0755) == 0 && mkdir("made/by", 0755) == 0);
#ifdef ALL
  change_what_is_there();
#else
  (void)change_what_is_there;
#endif
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, append, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(stat("made/by/threads", &status) == 0 && status.st_size == 2);
  assert(chdir("made") == 0 && access("by/threads", F_OK) == 0);
#ifdef FAILS
  assert(!"after all this");
#endif
}
"""


class Test:
    def __init__(self, heddle, top):
        self.heddle, self.top, self.failures = heddle, Path(top), []

    def build(self, name, *flags):
        source = self.top / "program.c"
        source.write_text(PROGRAM)
        subprocess.run([self.heddle, "cc", "-g", *flags, str(source), "-o", str(self.top / name)],
                       check=True, timeout=60)

    def fresh(self, name):
        directory = self.top / name
        shutil.rmtree(directory, ignore_errors=True)
        (directory / "directory").mkdir(parents=True)
        for file, text in (("kept", "mine\n"), ("gone", "g"), ("old", "o"), ("directory/file", "f")):
            (directory / file).write_text(text)
        return directory

    def run(self, directory, *words, status):
        done = subprocess.run([self.heddle, *words], cwd=directory, capture_output=True, text=True,
                              timeout=120)
        if done.returncode != status:
            self.failures.append(f"heddle {words}: status {done.returncode}, expected {status}\n"
                                 f"{done.stdout[-1500:]}{done.stderr[-1500:]}")
        return done

    def unchanged(self, directory, what):
        seen = {str(path.relative_to(directory)): path.read_text()
                for path in directory.rglob("*") if path.is_file() and path.suffix != ".heddle-trace"}
        if seen != {"kept": "mine\n", "gone": "g", "old": "o", "directory/file": "f"}:
            self.failures.append(f"{what} left {seen}")


def as_nobody(heddle):
    """The same without root's rights, where the machine lets us; 0 if it does not."""
    change = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or not shutil.which("setpriv") or not os.path.exists(python):
        return 0
    reachable = [[*change, "test", "-x", heddle], [*change, "test", "-r", __file__],
                 [*change, "unshare", "-Urm", "true"]]
    if any(subprocess.run(words, capture_output=True).returncode != 0 for words in reachable):
        return 0
    environment = {"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"}
    return subprocess.run([*change, python, __file__, heddle], env=environment, timeout=240).returncode


def main():
    heddle = os.path.abspath(sys.argv[1])
    if (status := as_nobody(heddle)) != 0:
        print("as another user than root")
        return status
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as top:
        test = Test(heddle, top)
        test.build("plain")
        test.build("all", "-DALL")
        test.build("fails", "-DALL", "-DFAILS")

        # Without it the second execution finds what the first has left.
        done = test.run(test.fresh("without"), "check", "--json", "--strategy=dfs", "../plain", status=1)
        if json.loads(done.stdout)["findings"][0]["execution"] != 2:
            test.failures.append(f"without --scratch: {done.stdout[-1500:]}")
        directory = test.fresh("with")
        probe = test.run(directory, "check", "--scratch", "--strategy=dfs", "../plain", status=0)
        if "overlay file systems" in probe.stderr:
            print(f"skipped: {probe.stderr}")
            return 77
        test.unchanged(directory, "--scratch")

        for isolation in ("reset", "fork"):
            done = test.run(directory, "check", "--json", "--scratch", f"--isolation={isolation}",
                            "--strategy=dfs", "../all", status=0)
            if json.loads(done.stdout or "{}").get("executions", 0) < 10:
                test.failures.append(f"too few executions: {done.stdout[-500:]}")
            test.unchanged(directory, isolation)
        test.run(directory, "check", "--scratch", "--strategy=dfs", "../fails", status=1)
        test.run(directory, "replay", "fails.1.heddle-trace", status=1)
        test.unchanged(directory, "a replay")

        # From elsewhere, and more than one.
        other = test.fresh("other")
        test.run(directory, "check", f"--scratch={other},.", "--strategy=dfs", "../all", status=0)
        for names, word in (("/", "cannot cover /"), ("nowhere", "not a directory"),
                            (".,..", "one inside the other"), ("/proc", "cannot")):
            done = test.run(directory, "check", f"--scratch={names}", "../all", status=2)
            if word not in done.stderr:
                test.failures.append(f"--scratch={names}: {done.stderr}")
        test.run(directory, "check", "--scratch=", "../all", status=2)
        test.unchanged(directory, "the end")
        print("\n".join(test.failures) or "the files are as they were")
        return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
