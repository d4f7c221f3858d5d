#include "model/action.h"

#include <array>

namespace heddle {
namespace {

constexpr std::array kNames = {
#define X(enumerator, name, verb) std::string_view(name),
    HEDDLE_OPERATIONS(X)
#undef X
};

constexpr std::array kVerbs = {
#define X(enumerator, name, verb) std::string_view(verb),
    HEDDLE_OPERATIONS(X)
#undef X
};

}  // namespace

std::string_view name(Op op) {
  return kNames[static_cast<size_t>(op)];
}
std::string_view verb(Op op) {
  return kVerbs[static_cast<size_t>(op)];
}

std::optional<Op> op_from_name(std::string_view wanted) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<Op>(i);
  return std::nullopt;
}

}  // namespace heddle
