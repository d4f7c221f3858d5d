// Several engines side by side; the first answer counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "symbolic/engine.h"

namespace heddle::symbolic {

// Reductions of a program give other systems for the same question: each entry names its own.
struct Entry {
  EngineKind engine = EngineKind::Bmc;
  const circuit::System* system = nullptr;
  uint32_t property = 0;
  bool reduced = false;  // it leaves out runs, so that a depth without bad says nothing of others
  double delay = 0;      // seconds until it joins
  // In place of an engine over a circuit: something else that answers the same question.
  std::function<Answer(const Limits&)> other{};
};

struct PortfolioAnswer {
  Answer answer;
  size_t entry = 0;  // whose answer it is
};

PortfolioAnswer check_portfolio(std::span<const Entry> entries, const Limits& limits);

// All engines that take part, on one system.
std::vector<Entry> all_engines(const circuit::System& system, uint32_t property);

}  // namespace heddle::symbolic
