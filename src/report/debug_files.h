// Binaries, each with the debug information that libdwfl finds for it.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <string>

namespace heddle {

class DebugFiles {
 public:
  DebugFiles() {
    static char* debug_path = nullptr;
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debug_path,
    };
    dwfl_ = dwfl_begin(&callbacks);
  }
  ~DebugFiles() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }
  DebugFiles(const DebugFiles&) = delete;
  DebugFiles& operator=(const DebugFiles&) = delete;

  // As loaded at `base`; null if it is no binary.
  Dwfl_Module* open(const std::string& path, uint64_t base) {
    if (dwfl_ == nullptr) return nullptr;
    dwfl_report_begin_add(dwfl_);
    Dwfl_Module* module = dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), -1, base, true);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    return module;
  }

  // Null if the address is in none of them.
  Dwfl_Module* module_at(uint64_t address) const {
    return dwfl_ != nullptr ? dwfl_addrmodule(dwfl_, address) : nullptr;
  }

  // Calls `visit` with each, until it answers false.
  template <class Visit>
  void for_each_module(Visit visit) const {
    const auto call = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr,
                         void* argument) -> int {
      return (*static_cast<Visit*>(argument))(module) ? DWARF_CB_OK : DWARF_CB_ABORT;
    };
    if (dwfl_ != nullptr) dwfl_getmodules(dwfl_, call, &visit, 0);
  }

 private:
  Dwfl* dwfl_ = nullptr;
};

}  // namespace heddle
