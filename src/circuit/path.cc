#include "circuit/path.h"

#include <set>

namespace heddle::circuit {

Path merge(Aig& aig, const Fields& fields, std::span<const Path> paths,
           const graph::RegisterSet& live) {
  if (paths.size() == 1) return paths.front();
  Path result;
  if (paths.empty()) return result;
  std::vector<Literal> guards;
  std::set<FieldId> changed;
  for (const Path& path : paths) {
    guards.push_back(path.guard);
    for (const auto& [id, value] : path.after) changed.insert(id);
  }
  result.guard = aig.lor(guards);
  result.registers.resize(paths.front().registers.size());
  std::vector<Alternative> values(paths.size());
  live.for_each([&](uint32_t i) {
    for (size_t k = 0; k < paths.size(); ++k) values[k] = {guards[k], &paths[k].registers[i]};
    result.registers[i] = one_of(aig, values);
  });
  for (const FieldId id : changed) {
    for (size_t k = 0; k < paths.size(); ++k) values[k] = {guards[k], &paths[k].get(fields, id)};
    result.after[id] = one_of(aig, values);
  }
  return result;
}

}  // namespace heddle::circuit
