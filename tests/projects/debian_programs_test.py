#!/usr/bin/env python3
"""Threaded programs as Debian ships them, with small inputs: each gets a pass, no verdict with the
reason, or is refused by name. None has a bug that a search of some seconds could find, so none may
get a finding, and none may keep Heddle longer than it was told.

    debian_programs_test.py HEDDLE PROGRAM

Where the program is not installed the test is skipped.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
SECONDS = 3

TBB = """
#include <oneapi/tbb/parallel_for.h>
#include <atomic>
int main() {
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 4, [&](int i) { sum += i; });
  return sum == 6 ? 0 : 1;
}
"""
OPENMP = """
#include <stdio.h>
int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 4; i++) sum += i;
  return sum == 6 ? 0 : 1;
}
"""


def installed(name):
    def command(_):
        return shutil.which(name)
    return command


def compiled(source, compiler, *flags):
    def command(folder):
        suffix = ".c" if compiler == "gcc" else ".cc"
        file = Path(folder) / f"source{suffix}"
        file.write_text(source)
        done = subprocess.run([compiler, "-g", "-O1", str(file), "-o", f"{folder}/program", *flags],
                              capture_output=True)
        return f"{folder}/program" if done.returncode == 0 else None
    return command


# How to get at the program, and its arguments.
PROGRAMS = {
    "xz": (installed("xz"), ["-T2", "--block-size=1000", "-k", "-f", "-c", "text"]),
    "zstd": (installed("zstd"), ["-T2", "-q", "-c", "text"]),
    "sort": (installed("sort"), ["--parallel=2", "-S", "100M", "lines"]),
    "tbb": (compiled(TBB, "g++", "-ltbb"), []),
    "openmp": (compiled(OPENMP, "gcc", "-fopenmp"), []),
    "memcached": (installed("memcached"), ["-u", "nobody", "-t", "1", "-m", "64", "-l", "127.0.0.1", "-p", "0"]),
    "redis-server": (installed("redis-server"), ["--port", "0", "--unixsocket", "socket", "--save", "", "--daemonize", "no"]),
}


def main():
    heddle, name = str(Path(sys.argv[1]).resolve()), sys.argv[2]
    get, arguments = PROGRAMS[name]
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as folder:
        program = get(folder)
        if program is None:
            print(f"{name} is not installed")
            sys.exit(SKIPPED)
        (Path(folder) / "text").write_text("".join(f"{(i * 7919) % 300} line\n" for i in range(300)))
        # sort starts a thread for 131,072 lines and more.
        (Path(folder) / "lines").write_text("".join(f"{(i * 7919) % 99991}\n" for i in range(140_000)))
        began = time.time()
        done = subprocess.run([heddle, "check", program, "--json", f"--time={SECONDS}", "--watchdog=1",
                               "--", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=120)
        took = time.time() - began
        result = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        print(f"status {done.returncode} after {took:.1f} s, {result.get('executions', 0)} executions")
        print(result.get("end_reason", ""), *result.get("notes", []), done.stderr, sep="\n")
        said = done.stderr.strip() if done.returncode == 2 else result.get("end_reason")
        right = done.returncode in (0, 2, 3) and said and not result.get("findings") and "internal error" not in done.stderr
        sys.exit(not right or took > 60)


main()
