#include "cli/library.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/elf_file.h"

namespace heddle {
namespace fs = std::filesystem;
namespace {

fs::path home_of_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// What is loaded into every program that is checked must be ours, and nobody else's to write.
std::string library_complaint(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return "is not a file";
  if ((status.st_mode & S_IWOTH) != 0) return "everybody may write to; change its mode";
  const ElfFile file(path);
  GElf_Ehdr header;
  bool ours = false;
  if (file.header(header) && header.e_type == ET_DYN && header.e_machine == EM_X86_64)
    for_each_entry(file.get(), SHT_DYNSYM, gelf_getsym,
                   [&](const GElf_Sym& symbol, const GElf_Shdr& table) {
                     const char* name = elf_strptr(file.get(), table.sh_link, symbol.st_name);
                     ours |= name != nullptr && symbol.st_shndx != SHN_UNDEF &&
                             std::string_view(name) == "heddle_debug_stop";
                   });
  return ours ? "" : "is not Heddle's library";
}

}  // namespace

Result<std::string> find_library() {
  std::error_code ignored;
  if (const char* chosen = std::getenv("HEDDLE_LIBRARY")) {
    if (const std::string complaint = library_complaint(chosen); !complaint.empty())
      return Error{fmt::format("HEDDLE_LIBRARY names {}, which {}", chosen, complaint)};
    return fs::canonical(chosen, ignored).string();
  }
  fs::path home = home_of_program();
  for (const char* place : {"../runtime", "../lib", "../lib/x86_64-linux-gnu", "../lib64", "."}) {
    fs::path candidate = home / place / "libheddle.so";
    if (fs::is_regular_file(candidate, ignored)) return fs::canonical(candidate, ignored).string();
  }
  return Error{fmt::format(
      "libheddle.so is not near {}; set HEDDLE_LIBRARY to its path, or install Heddle again",
      home.string())};
}

Result<std::string> find_shared_file(const std::string& name) {
  std::error_code ignored;
  fs::path home = home_of_program();
  for (const char* place : {"../share/heddle", "."}) {
    fs::path candidate = home / place / name;
    if (fs::is_regular_file(candidate, ignored)) return fs::canonical(candidate, ignored).string();
  }
  return Error{fmt::format("{} is not near {}; install Heddle again", name, home.string())};
}

}  // namespace heddle
