// How many interleavings and partial orders there are, and what the paper says of that: its lemmas
// 1 and 2, theorems 1 and 2, corollary 1.
//
// Theorem 1 is not an upper bound. It takes the number of orders of one variable's blocks to be
// the number of pairs of blocks of different threads, b_i (b - b_i) summed over the threads; but
// the algorithm builds one graph for each *interleaving* of these blocks, of which there are
// (sum b_i)! / (b_1! … b_n!). For one variable and two threads with three blocks each that makes
// 20 graphs, where the bound is 18; with ten blocks each, 184,756 and 200. The algorithm is
// therefore not polynomial for a constant number of variables: one variable suffices for
// exponentially many graphs. `graphs_of_the_algorithm` counts them exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "orders/natural.h"

namespace heddle::orders {

// Lemma 1: of threads with so many statements each.
Natural interleavings(const std::vector<uint32_t>& statements);
double log10_interleavings(double threads, double statements_each);
// Formula (4), Stirling's approximation of it for many threads.
double log10_interleavings_stirling(double threads, double statements_each);

// Per variable, how many blocks of each thread access it.
using AccessCounts = std::vector<std::vector<uint32_t>>;
// What formula (5) says, and what the algorithm makes.
Natural graphs_by_formula_5(const AccessCounts& counts);
Natural graphs_of_the_algorithm(const AccessCounts& counts);

// Theorem 1: (b/r)^2r (1 - 1/n)^r, for b blocks, r variables, n threads.
double log10_theorem_1(double blocks, double variables, double threads);
// Corollary 1: the number of variables for which that is largest.
double worst_number_of_variables(double blocks, double threads);
// The time that (13) gives for it, and the bound of theorem 2 on that: b (e^(2/e))^b.
double log10_worst_time(double blocks, double threads);
double log10_theorem_2(double blocks);

}  // namespace heddle::orders
