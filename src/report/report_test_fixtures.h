// Code and data that the symboliser's tests look up in the test program itself.
#pragma once

#include <cstdint>

#include "trace/trace.h"

namespace heddle::fixtures {

struct Kitchen {
  int meals;
  struct {
    long handle;
    char label[4];
  } forks[3];
};

extern Kitchen kitchen;
extern int grid[2][3];
extern int m;

// Return address of a call made from `inlined_caller`, inlined into `outer_function`.
uint64_t outer_function();

// A frame as an unwinder would find it while its function calls another, and places in it.
struct Visit {
  TraceFrame frame;
  Address meals = kNoAddress, label = kNoAddress, number = kNoAddress;
};
Visit function_with_locals();

std::vector<Module> own_modules();

}  // namespace heddle::fixtures
