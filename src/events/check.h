// Checks a program graph as events.
#pragma once

#include <cstdint>
#include <string>

#include "circuit/trace.h"
#include "graph/graph.h"
#include "model/finding.h"
#include "symbolic/engine.h"

namespace heddle::events {

struct Question {
  FindingKinds ignored = 0;  // an execution that comes to one of these is looked at up to there
  bool races = true;
  uint32_t most_rounds = 64;  // of a loop that has no end of its own
};

struct Answer {
  // Bounded: no bug, with loops taken so often only. Unknown: see the reason.
  symbolic::Verdict verdict = symbolic::Verdict::Unknown;
  std::string reason;  // without a period
  uint32_t rounds = 0;
  FindingKind kind = FindingKind::Assertion;  // Reached
  circuit::Execution execution;               // Reached
  uint32_t events = 0, pairs = 0, cycles = 0, calls = 0;
};

// The program must be well formed (graph/check.h). Of the limits: clocks and who says stop.
Answer check(const graph::Program& program, const Question& question,
             const symbolic::Limits& limits);

// What has no encoding by events, without a period; empty: all of the program has one.
std::string refusal_of(const graph::Program& program);

}  // namespace heddle::events
