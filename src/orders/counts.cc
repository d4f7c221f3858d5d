#include "orders/counts.h"

#include <cmath>
#include <numbers>

namespace heddle::orders {

using std::numbers::e;
using std::numbers::pi;

Natural interleavings(const std::vector<uint32_t>& statements) {
  // The product of binomials, each built so that every division comes out even.
  Natural count = 1;
  uint32_t before = 0;
  for (const uint32_t own : statements) {
    for (uint32_t k = 1; k <= own; ++k) {
      count *= Natural(before + k);
      count.divide_exactly(k);
    }
    before += own;
  }
  return count;
}

double log10_interleavings(double threads, double statements_each) {
  return (std::lgamma(threads * statements_each + 1) - threads * std::lgamma(statements_each + 1)) /
         std::numbers::ln10;
}

double log10_interleavings_stirling(double threads, double statements_each) {
  return (statements_each * threads + 0.5) * std::log10(threads) +
         (0.5 - threads / 2) * std::log10(2 * pi * statements_each);
}

Natural graphs_by_formula_5(const AccessCounts& counts) {
  Natural product = 1;
  for (const std::vector<uint32_t>& of_threads : counts) {
    uint64_t all = 0;
    uint64_t pairs = 0;
    for (const uint32_t own : of_threads) all += own;
    for (const uint32_t own : of_threads) pairs += own * (all - own);
    product *= Natural(pairs);
  }
  return product;
}

Natural graphs_of_the_algorithm(const AccessCounts& counts) {
  Natural product = 1;
  for (const std::vector<uint32_t>& of_threads : counts) product *= interleavings(of_threads);
  return product;
}

double log10_theorem_1(double blocks, double variables, double threads) {
  return 2 * variables * std::log10(blocks / variables) + variables * std::log10(1 - 1 / threads);
}

double worst_number_of_variables(double blocks, double threads) {
  return blocks / e * std::sqrt(1 - 1 / threads);
}

double log10_worst_time(double blocks, double threads) {
  const double variables = worst_number_of_variables(blocks, threads);
  if (variables == 0) return std::log10(blocks);  // one thread: nothing is shared
  return std::log10(blocks) + log10_theorem_1(blocks, variables, threads);
}

double log10_theorem_2(double blocks) {
  return std::log10(blocks) + blocks * 2 / e * std::log10(e);
}

}  // namespace heddle::orders
