#include "symbolic/engine.h"

#include <array>
#include <utility>

namespace heddle::symbolic {
namespace {

constexpr std::array kEngines = {
#define HEDDLE_ENGINE_ROW(kind, name, function, delay, summary) \
  Engine{EngineKind::kind, name, function, delay, summary},
    HEDDLE_ENGINES(HEDDLE_ENGINE_ROW)
#undef HEDDLE_ENGINE_ROW
};

}  // namespace

std::span<const Engine> engines() {
  return kEngines;
}

const Engine& engine(EngineKind kind) {
  return kEngines[static_cast<size_t>(kind)];
}

Answer bounded(uint32_t depth, std::string reason) {
  return {Verdict::Bounded, depth, std::move(reason), {}, {}, {}, {}};
}

}  // namespace heddle::symbolic
