// From a program graph to its events.
#pragma once

#include <memory>
#include <variant>

#include "events/event.h"
#include "events/unroll_options.h"
#include "graph/graph.h"

namespace heddle::events {

// The program must be well formed (graph/check.h).
std::variant<std::unique_ptr<EventProgram>, Refusal> unroll(const graph::Program& program,
                                                            const UnrollOptions& options);

}  // namespace heddle::events
