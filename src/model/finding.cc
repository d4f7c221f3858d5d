#include "model/finding.h"

#include <array>

namespace heddle {
namespace {

constexpr std::array kNames = {
#define X(enumerator, name, severity) std::string_view(name),
    HEDDLE_FINDING_KINDS(X)
#undef X
};
constexpr std::array kSeverities = {
#define X(enumerator, name, severity) Severity::severity,
    HEDDLE_FINDING_KINDS(X)
#undef X
};
static_assert(kNames.size() <= 32, "FindingKinds has a bit for each");

}  // namespace

std::string_view name(FindingKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

Severity severity(FindingKind kind) {
  return kSeverities[static_cast<size_t>(kind)];
}

std::optional<FindingKinds> finding_kinds_from_list(std::string_view list) {
  FindingKinds kinds = 0;
  for (;;) {
    const size_t comma = list.find(',');
    std::string_view word = list.substr(0, comma);
    if (word == "race") word = name(FindingKind::DataRace);
    const std::optional<FindingKind> kind = finding_kind_from_name(word);
    if (!kind) return std::nullopt;
    kinds |= 1u << static_cast<uint32_t>(*kind);
    if (comma == std::string_view::npos) return kinds;
    list.remove_prefix(comma + 1);
  }
}

std::string list_of(FindingKinds kinds) {
  std::string text;
  for (size_t i = 0; i < kNames.size(); ++i)
    if (contains(kinds, static_cast<FindingKind>(i)))
      text.append(text.empty() ? "" : ", ").append(kNames[i]);
  return text;
}

std::string all_finding_kinds() {
  return list_of(~FindingKinds{0});
}

std::optional<FindingKind> finding_kind_from_name(std::string_view wanted) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<FindingKind>(i);
  return std::nullopt;
}

namespace {

// Their messages name addresses, which differ from one schedule to the next.
bool is_memory_error(FindingKind kind) {
  return kind == FindingKind::UseAfterFree || kind == FindingKind::OutOfBounds ||
         kind == FindingKind::StackUse || kind == FindingKind::MismatchedFree ||
         kind == FindingKind::DoubleFree || kind == FindingKind::InvalidFree;
}

}  // namespace

bool same_bug(const Failure& a, const Failure& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == FindingKind::DataRace)
    return (a.pc == b.pc && a.other == b.other) || (a.pc == b.other && a.other == b.pc);
  if (is_memory_error(a.kind)) return a.pc == b.pc;
  if (a.knot != 0 && b.knot != 0) return a.knot == b.knot;
  if (a.kind == FindingKind::Leak) return a.object == b.object;
  if (a.kind == FindingKind::LostWakeup) return a.pc == b.pc;  // which threads is chance
  if (a.kind == FindingKind::Invariant) return a.message == b.message;
  return a.pc == b.pc && a.message == b.message;
}

}  // namespace heddle
