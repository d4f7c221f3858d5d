// Numbers of classes that others have published or measured.
#include "toy/published.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>

#include "explore/explorer.h"
#include "strategies/registry.h"
#include "toy/sample_size.h"
#include "toy/toy_executor.h"

namespace heddle::toy {
namespace {

struct Known {
  const char* name;
  Program program;
  uint64_t classes;
};

void PrintTo(const Known& known, std::ostream* stream) {
  *stream << known.name;
}

class Published : public testing::TestWithParam<Known> {};

TEST_P(Published, NumberOfClasses) {
  if (kSanitised && GetParam().classes > 50'000) GTEST_SKIP() << "too slow under a sanitiser";
  for (const char* strategy : {"optimal-dpor", "source-dpor", "dpor"}) {
    RunOptions options;
    std::strcpy(options.strategy, strategy);
    ToyExecutor executor(GetParam().program);
    Explorer explorer(make_strategy(options), {.keep_going = true});
    ExploreObserver observer;
    explorer.run(executor, observer);
    EXPECT_TRUE(explorer.complete());
    EXPECT_EQ(explorer.executions() - explorer.blocked(), GetParam().classes) << strategy;
    EXPECT_TRUE(explorer.findings().empty());
    if (std::strcmp(strategy, "optimal-dpor") != 0) continue;
    EXPECT_EQ(explorer.blocked(), 0u);
    if (GetParam().classes > 5000) return;  // the others abandon too many executions
  }
}

// Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, table 1.
INSTANTIATE_TEST_SUITE_P(
    Popl2014, Published,
    testing::Values(Known{"filesystem_14", filesystem(14), 2},
                    Known{"filesystem_16", filesystem(16), 8},
                    Known{"filesystem_18", filesystem(18), 32},
                    Known{"filesystem_19", filesystem(19), 64}, Known{"indexer_12", indexer(12), 8},
                    Known{"indexer_15", indexer(15), 4096}, Known{"readers_2", readers(2), 4},
                    Known{"readers_8", readers(8), 256}, Known{"readers_13", readers(13), 8192},
                    Known{"lastzero_5", lastzero(5), 64}, Known{"lastzero_10", lastzero(10), 3328},
                    Known{"lastzero_15", lastzero(15), 147456}),
    [](const auto& info) { return std::string(info.param.name); });

// Measured with Nidhugg and an enumerator, see DESIGN.md; the thread pool by the enumerator alone.
INSTANTIATE_TEST_SUITE_P(Measured, Published,
                         testing::Values(Known{"lastzero_8", lastzero(8), 704},
                                         Known{"fib_5", fib(5), 8953},
                                         Known{"philosophers_4x1", philosophers(4, 1), 14},
                                         Known{"philosophers_5x1", philosophers(5, 1), 30},
                                         Known{"philosophers_4x2", philosophers(4, 2), 786},
                                         Known{"philosophers_5x2", philosophers(5, 2), 5730},
                                         Known{"readers_5_writers_4", readers(5, 4), 75000},
                                         Known{"barrier_2x1", barrier(2, 1), 6},
                                         Known{"barrier_2x2", barrier(2, 2), 54},
                                         Known{"barrier_2x3", barrier(2, 3), 486},
                                         Known{"barrier_3x1", barrier(3, 1), 360},
                                         Known{"thread_pool_1", thread_pool(1), 6},
                                         Known{"thread_pool_2", thread_pool(2), 90},
                                         Known{"thread_pool_3", thread_pool(3), 2292}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::toy
