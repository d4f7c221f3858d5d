// A binary as libelf sees it.
#pragma once

#include <fcntl.h>
#include <gelf.h>

#include <cstdint>
#include <string>

#include "cli/file_descriptor.h"

namespace heddle {

class ElfFile {
 public:
  // get() is null if it cannot be read.
  explicit ElfFile(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (fd_.valid()) elf_ = elf_begin(fd_.get(), ELF_C_READ_MMAP, nullptr);
  }
  ~ElfFile() { elf_end(elf_); }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool readable() const { return fd_.valid(); }
  Elf* get() const { return elf_; }
  bool header(GElf_Ehdr& header) const {
    return elf_ != nullptr && elf_kind(elf_) == ELF_K_ELF && gelf_getehdr(elf_, &header) != nullptr;
  }

 private:
  FileDescriptor fd_;
  Elf* elf_ = nullptr;
};

// Calls visit(section, header) for the sections of a type.
template <typename Visit>
void for_each_section(Elf* elf, uint32_t type, Visit visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == type) visit(section, header);
  }
}

// Calls visit(entry, header) for the entries of the tables of a type; `read` is libelf's function
// for one of them.
template <typename Entry, typename Visit>
void for_each_entry(Elf* elf, uint32_t type, Entry* (*read)(Elf_Data*, int, Entry*), Visit visit) {
  for_each_section(elf, type, [&](Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      Entry entry;
      if (read(data, static_cast<int>(i), &entry) == nullptr) break;
      visit(entry, header);
    }
  });
}

}  // namespace heddle
