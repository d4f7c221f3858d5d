"""The oracle against closed formulas, so that the counts of the programs rest on arguments."""
import unittest
from math import comb

from oracle import Model, count_executions


class OracleTest(unittest.TestCase):
    def test_two_chains_give_a_binomial(self):
        # main's m steps against start, k steps and exit; the join comes after all of them.
        for m in range(4):
            for k in range(4):
                lines = [f"main = create a; {m} step; join a", f"a = {k} step"]
                self.assertEqual(count_executions(lines), comb(m + k + 2, m))

    def test_threads_nobody_joins_form_a_tree(self):
        # A rooted tree of n steps has n! / (product of the subtree sizes) linear extensions.
        # Steps: create a (7) > start, exit (2, 1); create b (4) > start, exit (2, 1) and main's
        # exit (1): 5040 / (7 * 2 * 1 * 4 * 2 * 1 * 1) = 45.
        lines = ["main = create a; create b; exit", "a =", "b ="]
        self.assertEqual(count_executions(lines), 45)

    def test_two_joined_threads(self):
        # create b, start b, exit b against start a, exit a, join a: C(6,3) orders, less the one
        # in which join a comes before create b.
        self.assertEqual(count_executions(["main = create a; create b; join a; join b", "a =",
                                           "b ="]), 19)

    def test_no_preemption_leaves_only_the_order_of_threads(self):
        # main goes on to join a, which blocks; then a and b in either order; where b ran first,
        # nothing is left to choose after a, and likewise main may go on or b run once a is done.
        lines = ["main = create a; create b; join a; join b", "a = 5 step", "b = 5 step"]
        self.assertEqual(Model(lines).count()[0, False], 3)

    def test_deadlocks_are_told_apart(self):
        lines = ["main = create a; create b; join a; join b",
                 "a = lock x; lock y; unlock y; unlock x",
                 "b = lock y; lock x; unlock x; unlock y"]
        stuck = {preemptions for preemptions, deadlock in Model(lines).count() if deadlock}
        self.assertEqual(min(stuck), 1)

    def test_a_signal_chooses_its_waiter(self):
        model = Model(["main = signal c", "a = lock m; wait c m", "b = lock m; wait c m"])
        both_wait = ((0, 3, 3), (), frozenset({("c", 1), ("c", 2)}))
        self.assertEqual({s[2] for s in model.successors(both_wait, 0)},
                         {frozenset({("c", 1)}), frozenset({("c", 2)})})


if __name__ == "__main__":
    unittest.main()
