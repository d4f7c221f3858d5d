// A call of one of SV-COMP's functions, and what it stands for.
#pragma once

#include <cstdint>
#include <string>

#include "graph/graph.h"

namespace heddle::frontend {

struct VerifierCall {
  enum class Role : uint8_t { Input, Error };
  Role role = Role::Input;
  std::string function;
  graph::Place place;
};

}  // namespace heddle::frontend
