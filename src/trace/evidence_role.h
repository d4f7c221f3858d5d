// What an item of evidence is, beside the steps of a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

// clang-format off
// Its name in trace files and JSON; whether it is an access, whose operation is of interest; whether
// it is what went wrong with the memory.
#define HEDDLE_EVIDENCE_ROLES(X)                    \
  X(LaterAccess,   "later-access",   true,  false)  \
  X(EarlierAccess, "earlier-access", true,  false)  \
  X(Allocated,     "allocated",      false, false)  \
  X(Freed,         "freed",          false, false)  \
  X(BadAccess,     "bad-access",     true,  true)   \
  X(BadFree,       "bad-free",       false, true)   \
  X(Loop,          "loop",           false, false)
// clang-format on

enum class EvidenceRole : uint8_t {
#define X(enumerator, ...) enumerator,
  HEDDLE_EVIDENCE_ROLES(X)
#undef X
};

struct EvidenceRoleInfo {
  std::string_view name;
  bool is_access;
  bool is_bad;
};

const EvidenceRoleInfo& info(EvidenceRole role);
inline std::string_view name(EvidenceRole role) {
  return info(role).name;
}
std::optional<EvidenceRole> evidence_role_from_name(std::string_view name);

}  // namespace heddle
