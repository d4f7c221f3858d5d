#include "report/variable_names.h"

#include <dwarf.h>

#include <optional>
#include <vector>

#include "report/die_children.h"

namespace heddle {
namespace {

// Calls visit(address, die) for the variables with an address of their own among the children of
// `scope`, namespaces included.
template <typename Visit>
void for_each_variable(Dwarf_Die* scope, Visit visit) {
  for (Dwarf_Die& child : DieChildren(scope)) {
    int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) for_each_variable(&child, visit);
    if (tag != DW_TAG_variable) continue;
    Dwarf_Attribute attribute;
    Dwarf_Op* expression = nullptr;
    size_t length = 0;
    if (dwarf_attr(&child, DW_AT_location, &attribute) != nullptr &&
        dwarf_getlocation(&attribute, &expression, &length) == 0 && length == 1 &&
        expression[0].atom == DW_OP_addr)
      visit(expression[0].number, child);
  }
}

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, peeled;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr || dwarf_peel_type(&type, &peeled) != 0)
    return std::nullopt;
  return peeled;
}

uint64_t size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

// How many elements each dimension has, outermost first; 0 where unknown.
std::vector<uint64_t> dimensions_of(Dwarf_Die* array) {
  std::vector<uint64_t> counts;
  for (Dwarf_Die& child : DieChildren(array)) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (dwarf_formudata(dwarf_attr(&child, DW_AT_count, &attribute), &number) == 0)
      counts.push_back(number);
    else if (dwarf_formudata(dwarf_attr(&child, DW_AT_upper_bound, &attribute), &number) == 0)
      counts.push_back(number + 1);
    else
      counts.push_back(0);
  }
  return counts;
}

// A base class without members takes no room, although its size is 1: what lies there is another's.
bool is_empty_class(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type) return false;
  for (Dwarf_Die& child : DieChildren(type)) {
    Dwarf_Attribute attribute;
    const bool has_place = dwarf_attr(&child, DW_AT_data_member_location, &attribute) != nullptr;
    if (dwarf_tag(&child) == DW_TAG_member && has_place) return false;
    if (dwarf_tag(&child) != DW_TAG_inheritance) continue;
    std::optional<Dwarf_Die> base = type_of(&child);
    if (base && !is_empty_class(&*base)) return false;
  }
  return true;
}

// The member or base class of a structure in which an offset lies, and where that begins.
struct Part {
  Dwarf_Die die;
  Dwarf_Die type;
  uint64_t begin = 0;
};
std::optional<Part> part_of(Dwarf_Die* structure, uint64_t offset) {
  for (Dwarf_Die& child : DieChildren(structure)) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word begin = 0;
    if (dwarf_formudata(dwarf_attr(&child, DW_AT_data_member_location, &attribute), &begin) != 0)
      continue;
    std::optional<Dwarf_Die> type = type_of(&child);
    if (!type || offset < begin || offset >= begin + size_of(&*type)) continue;
    if (tag == DW_TAG_inheritance && is_empty_class(&*type)) continue;
    return Part{child, *type, begin};
  }
  return std::nullopt;
}

std::string path_in(Dwarf_Die* type, uint64_t offset);

std::string rest(uint64_t offset) {
  return offset == 0 ? "" : '+' + std::to_string(offset);
}

std::string path_in_array(Dwarf_Die* array, uint64_t offset) {
  std::optional<Dwarf_Die> element = type_of(array);
  uint64_t size = element ? size_of(&*element) : 0;
  if (size == 0) return rest(offset);
  uint64_t index = offset / size;
  std::string text;
  std::vector<uint64_t> counts = dimensions_of(array);
  for (size_t i = counts.size(); i-- > 0;) {
    uint64_t count = i > 0 && counts[i] > 0 ? counts[i] : index + 1;
    text.insert(0, '[' + std::to_string(index % count) + ']');
    index /= count;
  }
  return text + path_in(&*element, offset % size);
}

// Members whose name begins with an underscore are the insides of the standard library: an
// std::mutex is called by its own name, not by that of what it is made of.
std::string path_in_struct(Dwarf_Die* structure, uint64_t offset) {
  std::optional<Part> part = part_of(structure, offset);
  if (!part) return rest(offset);
  if (dwarf_tag(&part->die) == DW_TAG_inheritance)
    return path_in(&part->type, offset - part->begin);
  const char* name = dwarf_diename(&part->die);
  if (name == nullptr || name[0] == '_') return rest(offset);
  return '.' + std::string(name) + path_in(&part->type, offset - part->begin);
}

std::string path_in(Dwarf_Die* type, uint64_t offset) {
  switch (dwarf_tag(type)) {
    case DW_TAG_array_type:
      return path_in_array(type, offset);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return path_in_struct(type, offset);
    default:
      return rest(offset);
  }
}

// The innermost part of a variable, whatever it is called: that of a smart pointer is a pointer.
std::optional<Dwarf_Die> part_at(Dwarf_Die type, uint64_t offset) {
  for (;;) {
    const int tag = dwarf_tag(&type);
    std::optional<Dwarf_Die> inner;
    if (tag == DW_TAG_array_type) {
      inner = type_of(&type);
      const uint64_t size = inner ? size_of(&*inner) : 0;
      if (size == 0) return std::nullopt;
      offset %= size;
    } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
      std::optional<Part> part = part_of(&type, offset);
      if (!part) return std::nullopt;
      inner = part->type;
      offset -= part->begin;
    } else {
      return type;
    }
    type = *inner;
  }
}

// Nodes of a container: a header that more follows on, so not the elements of an array.
bool is_of_the_library(Dwarf_Die* type) {
  const char* name = dwarf_diename(type);
  return name != nullptr && name[0] == '_';
}

}  // namespace

std::string path_in_variable(Dwarf_Die* variable, uint64_t offset) {
  std::optional<Dwarf_Die> type = type_of(variable);
  return type ? path_in(&*type, offset) : rest(offset);
}

uint64_t size_of_variable(Dwarf_Die* variable) {
  std::optional<Dwarf_Die> type = type_of(variable);
  return type ? size_of(&*type) : 0;
}

const std::map<uint64_t, Dwarf_Die>& VariableIndex::variables_of(Dwarf* dwarf) {
  auto [entry, is_new] = modules_.try_emplace(dwarf);
  std::map<uint64_t, Dwarf_Die>& variables = entry->second;
  if (!is_new) return variables;
  Dwarf_Off offset = 0, next = 0;
  size_t header = 0;
  while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr)
      for_each_variable(&unit, [&](uint64_t address, const Dwarf_Die& die) {
        variables.try_emplace(address, die);
      });
    offset = next;
  }
  return variables;
}

std::string VariableIndex::path_behind_pointer(Dwarf* dwarf, uint64_t address, uint64_t offset,
                                               uint64_t distance) {
  if (dwarf == nullptr) return rest(distance);
  const std::map<uint64_t, Dwarf_Die>& variables = variables_of(dwarf);
  auto variable = variables.find(address);
  if (variable == variables.end()) return rest(distance);
  Dwarf_Die die = variable->second;
  std::optional<Dwarf_Die> type = type_of(&die);
  std::optional<Dwarf_Die> pointer = type ? part_at(*type, offset) : std::nullopt;
  if (!pointer || dwarf_tag(&*pointer) != DW_TAG_pointer_type) return rest(distance);
  std::optional<Dwarf_Die> element = type_of(&*pointer);
  const uint64_t size = element ? size_of(&*element) : 0;
  if (size == 0 || is_of_the_library(&*element)) return rest(distance);
  std::string path = path_in(&*element, distance % size);
  if (distance < size && path.starts_with('.')) return "->" + path.substr(1);
  if (distance < size && path.empty()) return "";
  return '[' + std::to_string(distance / size) + ']' + path;
}

std::string VariableIndex::member_path(Dwarf* dwarf, uint64_t address, uint64_t offset) {
  if (dwarf == nullptr) return rest(offset);
  const std::map<uint64_t, Dwarf_Die>& variables = variables_of(dwarf);
  auto variable = variables.find(address);
  if (variable == variables.end()) return rest(offset);
  Dwarf_Die die = variable->second;
  return path_in_variable(&die, offset);
}

}  // namespace heddle
