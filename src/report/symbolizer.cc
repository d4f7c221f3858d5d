#include "report/symbolizer.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "report/debug_files.h"
#include "report/function_index.h"
#include "report/local_variables.h"
#include "report/variable_names.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_system_path(std::string_view path) {
  for (std::string_view prefix :
       {"/usr/lib", "/lib/", "/lib64/", "/usr/include", "/usr/src", "[", "./nptl", "./csu"})
    if (path.starts_with(prefix)) return true;
  return path.ends_with("/libheddle.so") || path.ends_with("/heddle/heddle.h");
}

// The name of the function that a DIE stands for, linkage name first.
std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (unsigned int key : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (const char* symbol = dwarf_formstring(dwarf_attr_integrate(die, key, &attribute)))
      return demangled(symbol);
  const char* plain = dwarf_diename(die);
  return plain != nullptr ? plain : "";
}

std::string absolute_file(const char* file, const char* directory) {
  if (file == nullptr) return "";
  fs::path path(file);
  if (path.is_relative() && directory != nullptr) path = fs::path(directory) / path;
  return path.lexically_normal().string();
}

const char* directory_of(Dwarf_Die* unit) {
  Dwarf_Attribute attribute;
  return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

// Where the function of `inlined` was called from, as its DIE tells.
void read_call_site(Dwarf_Die* inlined, Dwarf_Die* unit, SourceFrame& caller) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0, column = 0;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
      dwarf_getsrcfiles(unit, &files, &count) == 0) {
    caller.file = absolute_file(dwarf_filesrc(files, file, nullptr, nullptr), directory_of(unit));
  }
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0)
    caller.line = static_cast<int>(line);
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_column, &attribute), &column) == 0)
    caller.column = static_cast<int>(column);
}

// What a module was read from: a program that was compiled anew is another one.
struct ModuleFile {
  std::string path;
  uint64_t base = 0;
  ino_t inode = 0;
  off_t size = 0;
  time_t seconds = 0;
  long nanoseconds = 0;

  bool operator==(const ModuleFile&) const = default;
};

ModuleFile file_of(const Module& module) {
  struct stat found {};
  if (stat(module.path.c_str(), &found) != 0) return {module.path, module.base};
  return {module.path,   module.base,          found.st_ino,
          found.st_size, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

}  // namespace

std::string demangled(const char* symbol) {
  // Short C names are valid codes for types: "m" would become "unsigned long".
  if (!std::string_view(symbol).starts_with("_Z")) return symbol;
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  if (text == nullptr) return symbol;
  std::string result(text);
  free(text);
  // Which version of std::string a function returns is not part of its name to anybody who reads
  // it.
  constexpr std::string_view kTag = "[abi:";
  for (size_t at; (at = result.find(kTag)) != std::string::npos;)
    result.erase(at, result.find(']', at) - at + 1);
  return result;
}

class Symbolizer::Impl {
 public:
  explicit Impl(const std::vector<Module>& modules) {
    std::set<std::string> seen;
    for (const Module& module : modules)
      if (module.path.starts_with('/') && seen.insert(module.path).second)
        files_.open(module.path, module.base);
  }

  const std::vector<SourceFrame>& frames_at(uint64_t pc) {
    auto [entry, is_new] = frames_.try_emplace(pc);
    if (is_new) entry->second = look_up(pc);
    return entry->second;
  }

  std::string variable_at(uint64_t address) {
    auto [entry, is_new] = variables_.try_emplace(address);
    if (is_new) entry->second = look_up_variable(address);
    return entry->second;
  }

  std::string pointed_at(uint64_t pointer, uint64_t distance) {
    Dwfl_Module* module = files_.module_at(pointer);
    if (module == nullptr || is_system_path(path_of(module))) return "";
    std::string name = variable_at(pointer);
    if (size_t plus = name.find('+'); plus != std::string::npos) name.resize(plus);
    if (name.empty()) return "";
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    dwfl_module_addrinfo(module, pointer, &offset, &symbol, nullptr, nullptr, nullptr);
    Dwarf_Addr bias = 0;
    Dwarf* dwarf = dwfl_module_getdwarf(module, &bias);
    std::string path =
        variable_index_.path_behind_pointer(dwarf, pointer - offset - bias, offset, distance);
    return path.empty() || path[0] == '+' ? '*' + name + path : name + path;
  }

  LocalPlace local_at(uint64_t address, const TraceFrame& frame) {
    const uint64_t pc = value(frame.pc) - 1;
    Dwfl_Module* module = files_.module_at(pc);
    if (module == nullptr) return {};
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = unit_at(module, pc, bias);
    std::vector<Dwarf_Die> functions;
    if (unit != nullptr) functions = functions_.around(unit, pc - bias);
    if (functions.empty()) return {from_symbols(module, pc).function, ""};
    LocalVariable variable = local_variable_at(
        functions.back(), {pc - bias, value(frame.begin), value(frame.end)}, address);
    Dwarf_Die& owner = variable.name.empty() ? functions.back() : variable.function;
    return {function_name(&owner), variable.name};
  }

  // The parts of every variable with that beginning are asked for their names.
  uint64_t address_of(const std::string& variable) {
    uint64_t found = 0;
    files_.for_each_module([&](Dwfl_Module* module) {
      found = find_in(module, variable);
      return found == 0;
    });
    return found;
  }

 private:
  // 0 if it is not there.
  uint64_t find_in(Dwfl_Module* module, const std::string& variable) {
    constexpr uint64_t kLargest = 1 << 16;  // bytes of a variable that are looked through
    if (is_system_path(path_of(module))) return 0;
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; ++i) {
      GElf_Sym symbol{};
      GElf_Addr address = 0;
      const char* name =
          dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
      if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) continue;
      if (!variable.starts_with(demangled(name))) continue;
      uint64_t size = std::clamp<uint64_t>(symbol.st_size, 1, kLargest);
      for (uint64_t offset = 0; offset < size; ++offset)
        if (look_up_variable(address + offset) == variable) return address + offset;
    }
    return 0;
  }

  std::vector<SourceFrame> look_up(uint64_t pc) {
    Dwfl_Module* module = files_.module_at(pc);
    if (module == nullptr) return {};
    bool of_system = is_system_path(path_of(module));
    std::vector<SourceFrame> frames;
    if (!of_system) frames = from_debug_info(module, pc);
    if (frames.empty()) frames.push_back(from_symbols(module, pc));
    const std::string file = fs::path(path_of(module)).filename().string();
    for (SourceFrame& frame : frames) frame.module = file;
    for (SourceFrame& frame : frames)
      frame.of_system = of_system || (frame.has_source() && is_system_path(frame.file));
    return frames;
  }

  static std::string_view path_of(Dwfl_Module* module) {
    const char* path =
        dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return path != nullptr ? path : "";
  }

  static SourceFrame from_symbols(Dwfl_Module* module, uint64_t pc) {
    SourceFrame frame;
    if (const char* symbol = dwfl_module_addrname(module, pc)) frame.function = demangled(symbol);
    return frame;
  }

  std::vector<SourceFrame> from_debug_info(Dwfl_Module* module, uint64_t pc) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = unit_at(module, pc, bias);
    if (unit == nullptr) return {};
    SourceFrame position;  // of the frame being built: the line table knows the innermost
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, pc - bias)) {
      position.file = absolute_file(dwarf_linesrc(line, nullptr, nullptr), directory_of(unit));
      dwarf_lineno(line, &position.line);
      dwarf_linecol(line, &position.column);
    }
    std::vector<SourceFrame> frames;
    for (Dwarf_Die& die : functions_.around(unit, pc - bias)) {
      position.function = function_name(&die);
      position.inlined = dwarf_tag(&die) == DW_TAG_inlined_subroutine;
      frames.push_back(position);
      position = SourceFrame{};
      if (frames.back().inlined) read_call_site(&die, unit, position);
    }
    if (frames.empty() && position.has_source()) {
      position.function = from_symbols(module, pc).function;
      frames.push_back(position);
    }
    return frames;
  }

  std::string look_up_variable(uint64_t address) {
    Dwfl_Module* module = files_.module_at(address);
    if (module == nullptr) return "";
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT) return "";
    if (symbol.st_size != 0 && offset >= symbol.st_size) return "";
    Dwarf_Addr bias = 0;
    Dwarf* dwarf = dwfl_module_getdwarf(module, &bias);
    return demangled(name) + variable_index_.member_path(dwarf, address - offset - bias, offset);
  }

  DebugFiles files_;
  FunctionIndex functions_;
  VariableIndex variable_index_;
  std::map<uint64_t, std::vector<SourceFrame>> frames_;
  std::map<uint64_t, std::string> variables_;
};

Symbolizer::Symbolizer(const std::vector<Module>& modules) {
  struct Used {
    std::vector<ModuleFile> files;
    std::shared_ptr<Impl> impl;
  };
  constexpr size_t kMost = 4;
  static std::deque<Used> recent;  // the last first
  std::vector<ModuleFile> files(modules.size());
  std::transform(modules.begin(), modules.end(), files.begin(), file_of);
  const auto known = std::find_if(recent.begin(), recent.end(),
                                  [&](const Used& used) { return used.files == files; });
  if (known != recent.end()) {
    impl_ = known->impl;
    return;
  }
  impl_ = std::make_shared<Impl>(modules);
  recent.push_front({std::move(files), impl_});
  if (recent.size() > kMost) recent.pop_back();
}
Symbolizer::~Symbolizer() = default;

const std::vector<SourceFrame>& Symbolizer::frames_at(Address pc) {
  return impl_->frames_at(value(pc));
}

const std::vector<SourceFrame>& Symbolizer::frames_before(Address pc) {
  return impl_->frames_at(value(pc) - 1);
}

std::string Symbolizer::function_at(Address entry) {
  const std::vector<SourceFrame>& frames = frames_at(entry);
  return frames.empty() ? "" : frames.back().function;
}

std::string Symbolizer::pointed_at(Address pointer, uint64_t distance) {
  return impl_->pointed_at(value(pointer), distance);
}

LocalPlace Symbolizer::local_at(Address data, const TraceFrame& frame) {
  return impl_->local_at(value(data), frame);
}

Address Symbolizer::address_of(const std::string& variable) {
  return Address{impl_->address_of(variable)};
}

std::string Symbolizer::variable_at(Address data) {
  return impl_->variable_at(value(data));
}

}  // namespace heddle
