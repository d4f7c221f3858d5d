// A program as bitcode in which accesses that no other thread can notice are marked, so that the
// compiler's instrumentation leaves them out.
#pragma once

#include <cstddef>
#include <string>

#include "frontend/options.h"

namespace heddle::frontend {

struct Pruned {
  bool made = false;
  std::string sentence;  // why not, without a period
  size_t accesses = 0;   // plain loads and stores of the program
  size_t pruned = 0;     // of these
};

// All sources as one module, written to the file.
Pruned prune(const Options& options, const std::string& file);

}  // namespace heddle::frontend
