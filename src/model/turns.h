// Turns: steps of one thread without another in between.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

struct Turn {
  size_t begin = 0;
  size_t end = 0;  // one past its last step
};

// Of steps that have a `thread`.
template <typename Steps>
std::vector<Turn> turns_of(const Steps& steps) {
  std::vector<Turn> turns;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i].thread != steps[i - 1].thread) turns.push_back({i, i});
    turns.back().end = i + 1;
  }
  return turns;
}

}  // namespace heddle
