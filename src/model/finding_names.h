// The names of all kinds of findings, for lists and suggestions.
#pragma once

#include <string>
#include <vector>

#include "model/finding.h"

namespace heddle {

inline std::vector<std::string> finding_kind_names() {
  return {
#define X(enumerator, name, severity) name,
      HEDDLE_FINDING_KINDS(X)
#undef X
  };
}

}  // namespace heddle
