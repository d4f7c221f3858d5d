#!/usr/bin/env python3
"""heddle::check in tests of GoogleTest and Catch2, started as any test is.

    check_test.py HEDDLE SOURCE_DIRECTORY
"""
import os
import subprocess
import sys
import tempfile

PLAIN = r"""
#include <heddle/check.h>
#include <pthread.h>
#include <cstdio>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int constructed = [] { return 7; }();

static void* take(void* from) {
  const int first = from != nullptr;
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[first]);
  return nullptr;
}

int main() {
  constructed = 8;  // the lambda does not see it
  const heddle::check_result result = heddle::check([] {
    heddle_assert(constructed == 7);
    pthread_t other;
    pthread_create(&other, nullptr, take, nullptr);
    take(&other);
    pthread_join(other, nullptr);
  });
  std::printf("%s %zu %s\n", result.verdict.c_str(), result.findings.size(),
              result.findings.empty() ? result.error.c_str() : result.findings[0].kind.c_str());
  for (const heddle::check_finding& finding : result.findings)
    std::printf("%s\n", finding.trace_file.c_str());
}
"""


class Tester:
    def __init__(self, heddle, directory):
        self.heddle, self.directory, self.failures = heddle, directory, 0

    def run(self, *command, environment=None, status=0):
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True,
                              timeout=200, env={**os.environ, **(environment or {})})
        if done.returncode != status:
            self.failures += 1
            print(f"{' '.join(command)} ended with {done.returncode}, not {status}\n"
                  f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def expect(self, condition, complaint):
        if not condition:
            self.failures += 1
            print(complaint)


def main():
    heddle, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="heddle-check-") as directory:
        tester = Tester(heddle, directory)
        tester.run(heddle, "c++", "-std=c++17", f"{source}/examples/queue_gtest.cc", "-lgtest",
                   "-lgtest_main", "-o", "queue_gtest")
        tester.run("./queue_gtest")
        tester.run(heddle, "c++", "-std=c++17", f"{source}/examples/counter_catch2.cc", "-o",
                   "counter_catch2")
        tester.run("./counter_catch2")

        # A program that is not linked with Heddle at all.
        with open(f"{directory}/plain.cc", "w") as file:
            file.write(PLAIN)
        tester.run("g++", "-std=c++17", "-g", "-pthread", f"-I{source}/include", "plain.cc", "-o",
                   "plain")
        lines = tester.run("./plain", environment={"HEDDLE": heddle}).splitlines()
        tester.expect(lines[:1] == ["fail 1 deadlock"], f"plain: {lines}")
        if len(lines) > 1:
            tester.expect("deadlock" in tester.run(heddle, "replay", lines[1], status=1),
                          "the replay shows no deadlock")
        text = tester.run("./plain", environment={"HEDDLE": "/nowhere/heddle"})
        tester.expect(text.startswith("error 0 cannot run /nowhere/heddle"), f"plain: {text}")
        tester.run(heddle, "check", "--entry=0x1", "./plain", status=2)
        tester.run(heddle, "check", "--entry=main", "./plain", status=2)
    print("no failures" if tester.failures == 0 else f"{tester.failures} failures")
    return 1 if tester.failures else 0


if __name__ == "__main__":
    sys.exit(main())
