// For tests: random programs small enough to be enumerated, but with more than one execution.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "toy/enumerate.h"
#include "toy/program.h"
#include "toy/toy_executor.h"

namespace heddle::toy {

struct EnumeratedSample {
  uint64_t seed;
  Program program;
  std::vector<Execution> all;
};
using EnumeratedSamples = std::vector<EnumeratedSample>;

// `end_of` says by what the ends of executions are told apart.
inline EnumeratedSamples enumerated_samples(
    size_t wanted, size_t most_executions, const std::function<Program(uint64_t)>& generate,
    const std::function<uint64_t(const ToyExecutor&)>& end_of) {
  EnumeratedSamples result;
  for (uint64_t seed = 1; result.size() < wanted; ++seed) {
    ToyExecutor executor(generate(seed));
    Enumeration all = enumerate(executor, most_executions, [&] { return end_of(executor); });
    if (all.complete && all.executions.size() > 1)
      result.push_back({seed, executor.program(), std::move(all.executions)});
  }
  return result;
}

// Calls check(executor, all executions) for each of them, until one fails.
template <typename Check>
void for_each_sample(const EnumeratedSamples& samples, Check check) {
  for (const EnumeratedSample& sample : samples) {
    SCOPED_TRACE("seed " + std::to_string(sample.seed) + "\n" + to_string(sample.program));
    ToyExecutor executor(sample.program);
    check(executor, sample.all);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace heddle::toy
