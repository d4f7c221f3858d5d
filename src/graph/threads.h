// How many threads a program can have, as far as its text says.
#pragma once

#include <cstdint>

#include "graph/graph.h"

namespace heddle::graph {

struct ThreadCount {
  uint32_t most = 1;             // main included; kMany: no end is seen
  bool children_create = false;  // threads other than main create some
  bool creates_main = false;     // a thread runs main's routine
};
inline constexpr uint32_t kMany = 0xffff;

ThreadCount count_threads(const Program& program);

}  // namespace heddle::graph
