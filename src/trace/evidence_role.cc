#include "trace/evidence_role.h"

#include <array>

namespace heddle {
namespace {

constexpr auto kRoles = std::to_array<EvidenceRoleInfo>({
#define X(enumerator, name, is_access, is_bad) {name, is_access, is_bad},
    HEDDLE_EVIDENCE_ROLES(X)
#undef X
});

}  // namespace

const EvidenceRoleInfo& info(EvidenceRole role) {
  return kRoles[static_cast<size_t>(role)];
}

std::optional<EvidenceRole> evidence_role_from_name(std::string_view name) {
  for (size_t i = 0; i < kRoles.size(); ++i)
    if (kRoles[i].name == name) return static_cast<EvidenceRole>(i);
  return std::nullopt;
}

}  // namespace heddle
