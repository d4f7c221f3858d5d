#include "model/finding.h"

#include <array>

namespace heddle {
namespace {

constexpr std::array kNames = {
#define X(enumerator, name) std::string_view(name),
    HEDDLE_FINDING_KINDS(X)
#undef X
};

}  // namespace

std::string_view name(FindingKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

std::optional<FindingKind> finding_kind_from_name(std::string_view wanted) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<FindingKind>(i);
  return std::nullopt;
}

bool same_bug(const Failure& a, const Failure& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == FindingKind::DataRace)
    return (a.pc == b.pc && a.other == b.other) || (a.pc == b.other && a.other == b.pc);
  return a.pc == b.pc && a.message == b.message;
}

}  // namespace heddle
