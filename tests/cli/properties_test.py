"""Property files: what is found, what is wrong with them, and that replays evaluate them again."""
import json
import unittest

from command import CommandTest

PROGRAM = """
#include <pthread.h>
#include <stdbool.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int from = 1, to;
static bool balanced(void) { return from + to == 1; }
bool positive(void) { return from >= 0; }
bool with_argument(int x) { return x; }
void nothing(void) {}
double real(void) { return 0; }
bool waits(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return true; }
bool library_holds(void);
void* work(void* p) {
  pthread_mutex_lock(&m);
  from--;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  to++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
"""
OTHER = "static int positive_here(void) { return 1; }\nint other(void) { return positive_here(); }\n"


class Properties(CommandTest):
    def check(self, text, *options):
        return self.heddle("check", "--json", *options, "--properties=" + self.file("p", text),
                           self.file("bank.c", PROGRAM))

    def refused(self, text, *parts, options=()):
        done = self.check(text, *options)
        self.status(done, 2)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_static_function(self):
        done = self.check("balanced it is all there\n")
        self.status(done, 1)
        finding = json.loads(done.stdout)["findings"][0]
        self.assertEqual(finding["kind"], "invariant")
        self.assertIn('"balanced" does not hold: it is all there', finding["message"])
        again = self.heddle("replay", finding["trace_file"])
        self.status(again, 1)
        self.assertIn("showed again", again.stdout)

    def test_holds(self):
        self.status(self.check("# all of them\n\n  positive  \r\n"), 0)

    def test_replay_of_an_edited_program(self):
        program = self.file("bank.c", PROGRAM)
        done = self.heddle("check", "--properties=" + self.file("p", "balanced\n"), program)
        self.status(done, 1)
        self.file("bank.c", "int more;\nint unused(void) { return 1; }\n" + PROGRAM)
        self.status(self.heddle("check", "--properties=p", "--max-executions=1", program), 1)
        self.status(self.heddle("replay", "bank.1.heddle-trace"), 1)

    def test_function_of_a_library(self):
        self.file("bank.c", PROGRAM)
        self.file("ok.c", "static int answer = 0;\nint library_holds(void) { return answer; }\n")
        self.compile("gcc", "-shared", "-fPIC", "-g", "ok.c", "-o", "libok.so")
        self.heddle("cc", "-g", "bank.c", "-o", "bank", "-L.", "-Wl,--no-as-needed", "-lok",
                    f"-Wl,-rpath,{self.directory}")
        done = self.heddle("check", "--properties=" + self.file("p", "library_holds\n"), "bank")
        self.status(done, 1)
        self.assertIn("library_holds", done.stdout)
        self.status(self.heddle("replay", "bank.1.heddle-trace"), 1)

    def test_names(self):
        self.refused("balance\n", "p:1", "no function balance", "did you mean balanced?")
        self.refused("\nqqqqqqqq\n", "p:2", "no function qqqqqqqq", "__attribute__((used))")
        self.refused("positive\npositive\n", "p:2", "named before")

    def test_several_of_a_name(self):
        self.file("other.c", OTHER)
        self.file("more.c", OTHER.replace("other", "more"))
        self.file("bank.c", PROGRAM)
        self.compile("gcc", "-g", "-O0", "-pthread", "bank.c", "other.c", "more.c", "-o", "bank")
        self.file("p", "positive_here\n")
        done = self.heddle("check", "--properties=p", "bank")
        self.status(done, 2)
        for part in ("other.c:positive_here", "more.c:positive_here"):
            self.assertIn(part, done.stderr)
        self.file("p", "more.c:positive_here\n")
        self.status(self.heddle("check", "--properties=p", "bank"), 0)

    def test_wrong_kinds(self):
        self.refused("with_argument\n", "takes 1 argument")
        self.refused("nothing\n", "returns nothing")
        self.refused("real\n", "returns double")

    def test_bad_files(self):
        self.refused("", "names no function")
        self.refused("# nothing\n", "names no function")
        self.refused("".join(f"f{i}\n" for i in range(300)), "more than 256")
        self.refused("\0\xff\n", "no function")
        done = self.heddle("check", "--properties=nowhere", self.file("bank.c", PROGRAM))
        self.status(done, 2)
        self.assertIn("nowhere", done.stderr)
        self.status(self.heddle("check", f"--properties={self.directory}", "bank.c"), 2)

    def test_strategies(self):
        self.refused("balanced\n", "invariant", options=("--strategy=dpor",))

    def test_one_that_crashes_leaves_the_others_as_they_are(self):
        self.file("p", "fragile\n")
        program = self.file("frees.c", """
            #include <pthread.h>
            #include <stdlib.h>
            pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            int *gone, *nothing, first;
            int fragile(void) { return first != 1 || *nothing; }
            void* work(void* number) {
              pthread_mutex_lock(&m);
              if (first == 0) first = *(int*)number;
              if (first == 2) *gone = 1;
              pthread_mutex_unlock(&m);
              return NULL;
            }
            int main(void) {
              pthread_t one, two;
              int numbers[] = {1, 2};
              gone = malloc(4);
              free(gone);
              pthread_create(&one, NULL, work, &numbers[0]);
              pthread_create(&two, NULL, work, &numbers[1]);
              pthread_join(one, NULL);
              pthread_join(two, NULL);
            }""")
        done = self.heddle("check", "--json", "--strategy=dfs", "--keep-going", "--properties=p",
                           program)
        self.status(done, 1)
        kinds = {finding["kind"] for finding in json.loads(done.stdout)["findings"]}
        self.assertEqual(kinds, {"crash", "use-after-free"})

    def test_what_an_invariant_must_not_do(self):
        done = self.check("waits\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("invariant", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
