// Random program graphs, for tests in which everything that runs a graph must agree.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace heddle::graph {

struct GeneratorOptions {
  bool sync = true;       // condition variables, semaphores, barriers, reader-writer locks, once
  bool atomics = true;    // updates and compare-and-swaps
  bool pointers = true;   // computed addresses, allocation, freeing
  bool sections = false;  // atomic sections
  bool choices = true;    // choose, inputs, assumptions
  bool errors = true;     // assertions that may fail, locks given back that are not held …
  uint32_t threads = 2;   // besides main
  uint32_t actions = 4;   // of each, about
};

// Well formed; the same for the same seed. All loops end after few rounds.
Program random_program(uint64_t seed, const GeneratorOptions& options = {});

}  // namespace heddle::graph
