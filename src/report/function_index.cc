#include "report/function_index.h"

#include <dwarf.h>

#include <algorithm>

#include "report/die_children.h"

namespace heddle {
namespace {

template <typename Visit>
void for_each_range(Dwarf_Die* die, Visit visit) {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;)
    if (begin < end) visit(begin, end);
}

// Functions stand in their unit or in a namespace; what stands in a class is declared there only.
template <typename Visit>
void for_each_function(Dwarf_Die* scope, Visit visit) {
  for (Dwarf_Die& child : DieChildren(scope)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) for_each_function(&child, visit);
    if (tag == DW_TAG_subprogram) visit(child);
  }
}

// What was inlined into `scope` at `pc`, outermost first.
void add_inlined(Dwarf_Die* scope, Dwarf_Addr pc, std::vector<Dwarf_Die>& functions) {
  for (Dwarf_Die& child : DieChildren(scope)) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (dwarf_haspc(&child, pc) <= 0) continue;
    if (tag == DW_TAG_inlined_subroutine) functions.push_back(child);
    add_inlined(&child, pc, functions);
  }
}

}  // namespace

// gcc writes a table of addresses; clang does not, so its units have to be asked one by one.
Dwarf_Die* unit_at(Dwfl_Module* module, uint64_t pc, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, pc, &bias)) return unit;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;)
    if (dwarf_haspc(unit, pc - bias) > 0) return unit;
  return nullptr;
}

const FunctionIndex::Functions& FunctionIndex::functions_of(Dwarf_Die* unit) {
  auto [entry, is_new] = units_.try_emplace(unit->addr);
  Functions& functions = entry->second;
  if (!is_new) return functions;
  for_each_function(unit, [&](Dwarf_Die& die) {
    for_each_range(&die, [&](Dwarf_Addr begin, Dwarf_Addr end) {
      functions.push_back({begin, end, die});
    });
  });
  std::sort(functions.begin(), functions.end(),
            [](const Function& a, const Function& b) { return a.begin < b.begin; });
  return functions;
}

std::vector<Dwarf_Die> FunctionIndex::around(Dwarf_Die* unit, Dwarf_Addr pc) {
  const Functions& functions = functions_of(unit);
  auto after = std::upper_bound(functions.begin(), functions.end(), pc,
                                [](Dwarf_Addr at, const Function& f) { return at < f.begin; });
  if (after == functions.begin() || pc >= std::prev(after)->end) return {};
  Dwarf_Die function = std::prev(after)->die;
  std::vector<Dwarf_Die> result{function};
  add_inlined(&function, pc, result);
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace heddle
