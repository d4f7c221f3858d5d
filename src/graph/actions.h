// What belongs to each kind of action: which operands and results it has.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "graph/graph.h"

namespace heddle::graph {

enum class Needs : uint8_t { Never, Maybe, Always };

struct ActionShape {
  std::string_view name;
  Needs address = Needs::Never;
  Needs second = Needs::Never;
  Needs value = Needs::Never;
  Needs into = Needs::Never;
  Needs second_into = Needs::Never;
  bool sized = false;      // accesses memory: Action::bits is the width of what it handles
  uint8_t value_bits = 0;  // of the value where it is not sized; 0: any
};

namespace detail {
constexpr ActionShape shape(ActionKind kind) {
  constexpr Needs no = Needs::Never, may = Needs::Maybe, must = Needs::Always;
  switch (kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::Yield:
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
      return {};
    case ActionKind::Load:
    case ActionKind::AtomicLoad:
      return {"", must, no, no, must, no, true};
    case ActionKind::Store:
    case ActionKind::AtomicStore:
      return {"", must, no, must, no, no, true};
    case ActionKind::AtomicUpdate:
      return {"", must, no, must, may, no, true};
    case ActionKind::AtomicCas:
      return {"", must, must, must, may, may, true};
    case ActionKind::MutexInit:
    case ActionKind::SemInit:
    case ActionKind::BarrierInit:
      return {"", must, no, must, may, no};
    case ActionKind::CondWait:
      return {"", must, must, no, may, no};
    case ActionKind::MutexLock:
    case ActionKind::MutexUnlock:
    case ActionKind::MutexDestroy:
    case ActionKind::CondInit:
    case ActionKind::CondSignal:
    case ActionKind::CondBroadcast:
    case ActionKind::CondDestroy:
    case ActionKind::RwInit:
    case ActionKind::RwRead:
    case ActionKind::RwWrite:
    case ActionKind::RwUnlock:
    case ActionKind::RwDestroy:
    case ActionKind::SemWait:
    case ActionKind::SemPost:
    case ActionKind::SemDestroy:
    case ActionKind::BarrierWait:
    case ActionKind::BarrierDestroy:
      return {"", must, no, no, may, no};
    case ActionKind::MutexTryLock:
    case ActionKind::RwTryRead:
    case ActionKind::RwTryWrite:
    case ActionKind::SemTryWait:
    case ActionKind::SemValue:
    case ActionKind::OnceBegin:
      return {"", must, no, no, must, no};
    case ActionKind::OnceEnd:
    case ActionKind::Free:
      return {"", must};
    case ActionKind::Create:
      return {"", no, no, may, may, no, false, 64};
    case ActionKind::Join:
      return {"", no, no, must, may, no, false, 64};
    case ActionKind::Detach:
      return {"", no, no, must, no, no, false, 64};
    case ActionKind::Choose:
      return {"", no, no, must, must};
  }
  return {};
}
}  // namespace detail

// In the order of ActionKind.
inline constexpr auto kActionShapes = [] {
  constexpr std::string_view kNames[] = {
#define X(enumerator, text) text,
      HEDDLE_ACTIONS(X)
#undef X
  };
  std::array<ActionShape, std::size(kNames)> shapes{};
  for (size_t i = 0; i < shapes.size(); ++i) {
    shapes[i] = detail::shape(static_cast<ActionKind>(i));
    shapes[i].name = kNames[i];
  }
  return shapes;
}();

constexpr const ActionShape& shape_of(ActionKind kind) {
  return kActionShapes[static_cast<size_t>(kind)];
}

}  // namespace heddle::graph
