// The functions that are actions of the graph: what their arguments are and what they return.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/graph.h"

namespace heddle::frontend {

inline constexpr int8_t kNoArgument = -1;

enum class Returns : uint8_t {
  Nothing,      // or 0
  ErrorNumber,  // what the action gives
  ThreadError,  // C11: 1 where the action gives an error number
  Serial,       // -1 for one of the threads at a barrier
  Result,       // what the action gives, widened to the type of the call
};

struct Verb {
  std::string_view name;
  graph::ActionKind kind;
  int8_t address = kNoArgument;
  int8_t second = kNoArgument;
  int8_t value = kNoArgument;
  Returns returns = Returns::Nothing;
  int64_t constant = -1;  // the value, where it is no argument
};

const Verb* find_verb(std::string_view name);

// Functions whose effects the graph leaves out: they write output, or say something about a thread.
bool is_ignored(std::string_view name);
// Functions that end the process, with a status as their first argument.
bool ends_process(std::string_view name);

}  // namespace heddle::frontend
