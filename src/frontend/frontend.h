// From C and C++ sources to a program graph.
#pragma once

#include <string>
#include <vector>

#include "frontend/options.h"
#include "frontend/verifier_call.h"
#include "graph/graph.h"

namespace heddle::frontend {

struct Translation {
  Answer answer = Answer::Graph;
  graph::Program program;
  std::string sentence;  // without a period
  // Functions of SV-COMP that the program calls and does not define, by their C names.
  std::vector<std::string> verifier_functions;
  std::vector<VerifierCall> verifier_calls;  // where the program makes some of these calls
  bool own_reach_error = false;              // the program's own reach_error was not looked into
};

// The compiler's own messages go to standard error.
Translation translate(const Options& options);

}  // namespace heddle::frontend
