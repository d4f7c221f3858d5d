// What all engines have in common: the question, the limits, the answer, and the table of them.
//
// The question is whether a run of a system comes to a step in which a property's `bad` holds. A
// depth counts the steps before that one: bad in the very first step is depth 0.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "circuit/aig.h"

namespace heddle::symbolic {

inline constexpr uint32_t kAnyDepth = 0xffffffff;

struct Limits {
  uint32_t depth = kAnyDepth;  // nothing beyond it is looked at
  double seconds = 0;          // of wall clock; 0: none
  double cpu_seconds = 0;      // of one engine; 0: none
  uint64_t memory = 0;         // bytes of one engine; 0: none
  const std::atomic<bool>* stop = nullptr;
  // Told each depth up to which bad has been excluded, so that it is known if the engine is ended.
  std::function<void(uint32_t depth)> on_bound;
};

enum class Verdict : uint8_t {
  Reached,  // with a run
  Proved,   // no run of any length
  Bounded,  // no run up to `depth`; nothing is said about longer ones
  Unknown,
};

struct Answer {
  Verdict verdict = Verdict::Unknown;
  uint32_t depth = 0;    // Reached, Bounded
  std::string reason;    // Proved: by what; Bounded, Unknown: why no more; without a period
  std::string engine;    // whose answer it is
  circuit::Run run;      // Reached
  std::string steps{};   // Reached, by an engine that looks at no circuit: in its own form
  std::string effort{};  // of such an engine, in words
};

inline Answer unknown(std::string reason) {
  return {Verdict::Unknown, 0, std::move(reason), {}, {}, {}, {}};
}

using Check = Answer (*)(const circuit::System& system, uint32_t property, const Limits& limits);

Answer check_bmc(const circuit::System& system, uint32_t property, const Limits& limits);
Answer check_bmc_once(const circuit::System& system, uint32_t property, const Limits& limits);
Answer check_induction(const circuit::System& system, uint32_t property, const Limits& limits);
Answer check_pdr(const circuit::System& system, uint32_t property, const Limits& limits);
Answer check_interpolation(const circuit::System& system, uint32_t property, const Limits& limits);
Answer check_bdd(const circuit::System& system, uint32_t property, const Limits& limits);

// X(kind, name, function, seconds until it joins the portfolio, summary). One that never joins has
// a negative number there.
#define HEDDLE_ENGINES(X)                                                                     \
  X(Bmc, "bmc", check_bmc, 0, "bounded model checking, step by step")                         \
  X(BmcOnce, "bmc-once", check_bmc_once, -1, "bounded model checking, one query for --depth") \
  X(Induction, "induction", check_induction, 2, "k-induction over paths without repetition")  \
  X(Pdr, "pdr", check_pdr, 1, "property directed reachability (ABC)")                         \
  X(Interpolation, "interpolation", check_interpolation, 3, "interpolation (ABC)")            \
  X(Bdd, "bdd", check_bdd, 2, "all reachable states as binary decision diagrams (BuDDy)")

enum class EngineKind : uint8_t {
#define HEDDLE_ENGINE_KIND(kind, name, function, delay, summary) kind,
  HEDDLE_ENGINES(HEDDLE_ENGINE_KIND)
#undef HEDDLE_ENGINE_KIND
};

struct Engine {
  EngineKind kind;
  const char* name;
  Check check;
  double delay;
  const char* summary;
};

std::span<const Engine> engines();
const Engine& engine(EngineKind kind);

// What an engine says that has looked at every depth up to `limits.depth`.
Answer bounded(uint32_t depth, std::string reason);

}  // namespace heddle::symbolic
