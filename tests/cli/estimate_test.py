"""How many executions there will be, told early in a search by walks that do not count in it."""
import json
import unittest
from pathlib import Path

from command import CommandTest

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"


class Estimate(CommandTest):
    def build(self, name, *flags):
        self.status(self.heddle("cc", "-O1", *flags, PROGRAMS / f"{name}.c", "-o", name), 0)
        return f"./{name}"

    def check(self, program, *options, status=3):
        done = self.heddle("check", "--json", *options, program)
        self.status(done, status)
        return json.loads(done.stdout)

    def assert_near(self, document, classes):
        self.assertLess(classes / 2, document["estimate"])
        self.assertLess(document["estimate"], classes * 2)
        self.assertLess(0, document["estimate_error"])
        self.assertLess(document["estimate_error"], 0.6)

    def test_is_near_the_truth_early(self):
        for name, flags, classes in (
            ("fib", ["-DN=6"], 73789),
            ("readers", ["-DREADERS=5", "-DWRITERS=4"], 75000),
            ("barrier_classes", ["-DTHREADS=3", "-DSTEPS=2"], 324000),
            ("philosophers_ordered", ["-DPHILOSOPHERS=4", "-DROUNDS=3"], 61340),
        ):
            with self.subTest(program=name):
                program = self.build(name, *flags)
                options = ["--strategy=optimal-dpor", "--max-executions=8000", "--seed=1"]
                document = self.check(program, *options)
                self.assertEqual(document["executions"], 8000)
                if name == "philosophers_ordered" and document["estimate"] is None:
                    continue  # what its walks say is not to be relied on yet
                self.assert_near(document, classes)
                again = self.check(program, *options)
                self.assertEqual(document["estimate"], again["estimate"])

    def test_of_the_portfolio_and_in_processes_of_their_own(self):
        program = self.build("fib", "-DN=6")
        self.assert_near(self.check(program, "--max-executions=8000"), 73789)
        document = self.check(program, "--strategy=optimal-dpor", "--isolation=fork",
                              "--max-executions=4500")
        self.assertEqual(document["executions"], 4500)
        self.assert_near(document, 73789)

    def test_walks_do_not_count(self):
        document = self.check(self.build("fib", "-DN=5"), "--strategy=optimal-dpor", status=0)
        self.assertEqual((document["executions"], document["blocked"]), (8953, 0))
        self.assertEqual(document["events"], 8953 * document["longest"])
        self.assertEqual((document["estimate"], document["estimate_error"]), (8953, None))


if __name__ == "__main__":
    unittest.main()
