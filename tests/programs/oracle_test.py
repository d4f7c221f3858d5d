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

    def test_readers_share_and_writers_do_not(self):
        # Alone, each of two lock sections is [lock, unlock]; six orders if they may overlap, two if
        # not. Threads without a start or an end would be needed to see just that, so: ratios of
        # counts in which the sections are as long as in a model with plain steps or with a mutex.
        def count(section, other):
            return count_executions(["main = create a; create b; join a; join b",
                                     f"a = {section}", f"b = {other}"])
        read, write = "rdlock l; rwunlock l", "wrlock l; rwunlock l"
        self.assertEqual(count(read, read), count("2 step", "2 step"))
        for one, other in ((read, write), (write, read), (write, write)):
            self.assertEqual(count(one, other), count("lock m; unlock m", "lock m; unlock m"))

    def test_what_was_not_posted_cannot_be_taken(self):
        # post before take, as create before start: main's create takes the place of the post.
        lines = ["main = create a; post s; join a", "a = take s"]
        # Steps after the create: start, take, exit of a; post of main before take: 2 orders.
        self.assertEqual(count_executions(lines), 2)
        self.assertEqual({stuck for _, stuck in Model(["main = take s"]).count()}, {True})

    def test_a_barrier_opens_for_the_last(self):
        # After both creates (start a may come between them: 2 places for it): the second to arrive
        # goes on, the first needs one more step.
        lines = ["main = create a; arrive x 2; join a", "a = arrive x 2"]
        # main first: start, arrive, then a's exit against main's leave (join after both): 2 orders,
        # and start before or after main's arrival: 2 * 2. a first: start, arrive, main's arrival,
        # then a's leave and exit before the join: 1.
        self.assertEqual(count_executions(lines), 5)

    def test_a_signal_chooses_its_waiter(self):
        model = Model(["main = signal c", "a = lock m; wait c m", "b = lock m; wait c m"])
        both_wait = ((0, 3, 3), (), frozenset({("c", 1), ("c", 2)}))
        self.assertEqual({s[2] for s in model.successors(both_wait, 0)},
                         {frozenset({("c", 1)}), frozenset({("c", 2)})})


if __name__ == "__main__":
    unittest.main()
