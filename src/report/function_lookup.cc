#include "report/function_lookup.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <numeric>

#include "report/debug_files.h"
#include "report/die_children.h"
#include "report/function_index.h"
#include "report/symbolizer.h"

namespace heddle {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

// "bool ns::f<int>(char) const" → "ns::f<int>".
std::string without_signature(std::string_view full) {
  const size_t close = full.rfind(')');
  if (close != std::string_view::npos && full.substr(close, 3) != ")::") {
    size_t at = close;
    for (int depth = 0; at > 0; --at) {
      if (full[at] == ')') ++depth;
      if (full[at] == '(' && --depth == 0) break;
    }
    full = full.substr(0, at);
  }
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i] == '(' || full[i] == '<') ++depth;
    if (full[i] == ')' || full[i] == '>') --depth;
    if (full[i] == ' ' && depth == 0) begin = i + 1;
  }
  return std::string(full.substr(begin));
}

std::string without_anonymous(std::string name) {
  for (size_t at = 0; (at = name.find(kAnonymous)) != std::string::npos;)
    name.erase(at, kAnonymous.size());
  return name;
}

std::string_view last_part(std::string_view name) {
  const size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

// How many letters must be put in, taken out or replaced (Levenshtein).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

// The type of `die` without names given to it and qualifiers.
bool real_type(Dwarf_Die* die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr)
    return false;
  return dwarf_peel_type(&type, &type) == 0;
}

std::string type_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &type) == nullptr)
    return "";
  const char* name = dwarf_diename(&type);
  if (name != nullptr) return name;
  return dwarf_tag(&type) == DW_TAG_pointer_type ? "a pointer" : "an unnamed type";
}

bool is_whole_number(Dwarf_Die* type) {
  if (dwarf_tag(type) == DW_TAG_enumeration_type) return true;
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  if (dwarf_tag(type) != DW_TAG_base_type ||
      dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding) != 0)
    return false;
  return encoding == DW_ATE_boolean || encoding == DW_ATE_signed || encoding == DW_ATE_unsigned ||
         encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
}

}  // namespace

class FunctionLookup::Impl {
 public:
  explicit Impl(const std::string& path) : module_(files_.open(path, 0)) {
    if (module_ != nullptr) read_symbols();
  }

  struct Symbol {
    std::string raw, full, exact;  // as linkers and as people write it, with and without types
    NamedFunction function;
  };

  const std::vector<Symbol>& symbols() const { return symbols_; }

  FunctionKind kind_at(uint64_t address) {
    FunctionKind kind;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = module_ != nullptr ? unit_at(module_, address, bias) : nullptr;
    if (unit == nullptr) return kind;
    std::vector<Dwarf_Die> around = index_.around(unit, address - bias);
    if (around.empty()) return kind;
    Dwarf_Die die = around.back(), type;
    kind.known = true;
    for (Dwarf_Die& child : DieChildren(&die)) {
      if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
      if (dwarf_hasattr_integrate(&child, DW_AT_artificial) != 0)
        kind.needs_object = true;
      else
        ++kind.parameters;
    }
    kind.result = type_name(&die);
    if (real_type(&die, type) && is_whole_number(&type))
      kind.result_bytes = static_cast<uint32_t>(std::max(dwarf_bytesize(&type), 0));
    return kind;
  }

 private:
  void read_symbols() {
    std::string source;
    const int count = dwfl_module_getsymtab(module_);
    for (int i = 1; i < count; ++i) {
      GElf_Sym symbol{};
      GElf_Addr address = 0;
      const char* raw =
          dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
      if (raw == nullptr || *raw == '\0') continue;
      if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) source = raw;
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (std::string_view(raw).find('.') != std::string_view::npos) continue;  // made by gcc
      Symbol found{raw, demangled(raw), "", {}};
      found.function.name = found.full == raw ? raw : without_signature(found.full);
      found.exact = found.function.name;
      found.function.name = without_anonymous(found.exact);
      if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) found.function.source = source;
      found.function.address = address;
      symbols_.push_back(std::move(found));
    }
  }

  DebugFiles files_;
  Dwfl_Module* module_;
  FunctionIndex index_;
  std::vector<Symbol> symbols_;
};

FunctionLookup::FunctionLookup(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
FunctionLookup::~FunctionLookup() = default;

std::vector<NamedFunction> FunctionLookup::find(std::string_view name) const {
  std::string_view source;
  const size_t colon = name.find(':');
  if (colon != std::string_view::npos && name.substr(colon, 2) != "::") {
    source = name.substr(0, colon);
    name.remove_prefix(colon + 1);
  }
  std::vector<NamedFunction> whole, ends;
  auto add = [](std::vector<NamedFunction>& found, const NamedFunction& function) {
    for (const NamedFunction& other : found)
      if (other.address == function.address) return;
    found.push_back(function);
  };
  const std::string ending = "::" + std::string(name);
  for (const Impl::Symbol& symbol : impl_->symbols()) {
    if (!source.empty() && symbol.function.source != source) continue;
    if (name == symbol.raw || name == symbol.full || name == symbol.exact ||
        name == symbol.function.name)
      add(whole, symbol.function);
    else if (symbol.function.name.ends_with(ending))
      add(ends, symbol.function);
  }
  return whole.empty() ? ends : whole;
}

std::vector<std::string> FunctionLookup::similar(std::string_view name) const {
  const std::string_view wanted = last_part(name);
  const size_t most = std::max<size_t>(2, wanted.size() / 3);
  std::vector<std::pair<size_t, std::string>> near;
  for (const Impl::Symbol& symbol : impl_->symbols()) {
    const std::string& candidate = symbol.function.name;
    if (candidate.starts_with('_')) continue;
    const size_t apart = distance(wanted, last_part(candidate));
    if (apart <= most && apart < wanted.size()) near.emplace_back(apart, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < near.size() && i < 3; ++i) names.push_back(near[i].second);
  return names;
}

FunctionKind FunctionLookup::kind_of(const NamedFunction& function) {
  return impl_->kind_at(function.address);
}

}  // namespace heddle
