// From a program graph to its events.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "events/event.h"
#include "graph/graph.h"

namespace heddle::events {

struct UnrollOptions {
  uint32_t rounds = 1;          // of a loop, besides those that are sure to come
  uint32_t most_events = 3000;  // of all threads; more are refused
};

struct Refusal {
  std::string sentence;  // what has no encoding by events; without a period
};

// The program must be well formed (graph/check.h).
std::variant<std::unique_ptr<EventProgram>, Refusal> unroll(const graph::Program& program,
                                                            const UnrollOptions& options);

}  // namespace heddle::events
