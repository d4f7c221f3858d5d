#include "cli/program.h"

#include <elfutils/libdwelf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/elf_file.h"
#include "cli/fingerprint.h"
#include "report/function_lookup.h"

namespace heddle {
namespace {

bool has_interpreter(Elf* elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return false;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) != nullptr && segment.p_type == PT_INTERP)
      return true;
  }
  return false;
}

// What the dynamic symbols say about instrumentation.
struct Instrumentation {
  bool wanted = false;   // calls __tsan_ functions
  bool carried = false;  // brings its own
};

Instrumentation find_instrumentation(Elf* elf) {
  Instrumentation found;
  for_each_entry(elf, SHT_DYNSYM, gelf_getsym, [&](const GElf_Sym& symbol, const GElf_Shdr& table) {
    const char* name = elf_strptr(elf, table.sh_link, symbol.st_name);
    if (name == nullptr || !std::string_view(name).starts_with("__tsan_")) return;
    (symbol.st_shndx == SHN_UNDEF ? found.wanted : found.carried) = true;
  });
  return found;
}

// Sources whose code does not report its accesses. Each that does has a function of its own that
// runs before main; local symbols follow the name of the source they come from.
std::vector<std::string> uncompiled_parts(Elf* elf) {
  constexpr std::string_view kStarters[] = {"_sub_I_00099_", "tsan.module_ctor"};
  constexpr std::string_view kOfTheToolchain[] = {
      "crtstuff.c", "crt1.o",         "Scrt1.o",    "gcrt1.o",  "crti.o",    "crtn.o",
      "init.c",     "static-reloc.c", "elf-init.c", "atexit.c", "abi-note.c"};
  std::vector<std::string> parts;
  bool starts = true;  // in the part under way
  for_each_entry(elf, SHT_SYMTAB, gelf_getsym, [&](const GElf_Sym& symbol, const GElf_Shdr& table) {
    const char* text = elf_strptr(elf, table.sh_link, symbol.st_name);
    const std::string_view name = text == nullptr ? "" : text;
    if (GELF_ST_BIND(symbol.st_info) != STB_LOCAL) return;
    if (GELF_ST_TYPE(symbol.st_info) == STT_FILE) {
      if (starts && !parts.empty()) parts.pop_back();
      starts = name.empty() || name.starts_with('<') || name.ends_with(".S") ||
               name.ends_with(".o") ||
               std::find(std::begin(kOfTheToolchain), std::end(kOfTheToolchain), name) !=
                   std::end(kOfTheToolchain);
      parts.emplace_back(name);
      return;
    }
    for (std::string_view starter : kStarters) starts = starts || name.starts_with(starter);
  });
  if (starts && !parts.empty()) parts.pop_back();
  return parts;
}

bool needs_libtsan(Elf* elf) {
  bool found = false;
  for_each_entry(elf, SHT_DYNAMIC, gelf_getdyn, [&](const GElf_Dyn& entry, const GElf_Shdr& table) {
    if (entry.d_tag != DT_NEEDED) return;
    const char* name = elf_strptr(elf, table.sh_link, entry.d_un.d_val);
    if (name != nullptr && std::string_view(name).starts_with("libtsan.so")) found = true;
  });
  return found;
}

// A program that may lie anywhere is one of these, too, and says so.
bool is_shared_library(Elf* elf, const GElf_Ehdr& header) {
  bool is_program = header.e_type == ET_EXEC;
  for_each_entry(elf, SHT_DYNAMIC, gelf_getdyn, [&](const GElf_Dyn& entry, const GElf_Shdr&) {
    if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) is_program = true;
  });
  return !is_program;
}

std::string identify(Elf* elf, const std::string& path) {
  const void* bits = nullptr;
  ssize_t length = dwelf_elf_gnu_build_id(elf, &bits);
  if (length <= 0) return "contents-" + fingerprint_of_file(path);
  std::string id;
  for (ssize_t i = 0; i < length; ++i)
    id += fmt::format("{:02x}", static_cast<const unsigned char*>(bits)[i]);
  return id;
}

// As the debug information says, if there is any.
bool main_returns_nothing(const std::string& path) {
  FunctionLookup functions(path);
  for (const NamedFunction& found : functions.find("main")) {
    const FunctionKind kind = functions.kind_of(found);
    if (found.name == "main" && kind.known) return kind.result.empty();
  }
  return false;
}

// Whoever starts it gets rights that they do not have. Of a program of one's own the bit is no
// gain.
bool gains_rights(const std::string& path, const struct stat& status) {
  char ignored[64];
  return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
         ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) ||
         getxattr(path.c_str(), "security.capability", ignored, sizeof ignored) > 0;
}

// What begins like this is no program, whatever its mode says.
std::string contents_complaint(const std::string& path) {
  char beginning[sizeof(Elf64_Ehdr)] = {};
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return "";
  const size_t got = std::fread(beginning, 1, sizeof beginning, file);
  std::fclose(file);
  const std::string_view text(beginning, got);
  if (text.starts_with("!<arch>\n") || text.starts_with("!<thin>\n"))
    return fmt::format("{} is an archive: link it into a program first", path);
  if (text.starts_with("#!")) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return fmt::format("{} is a script ({}), not an ELF program; name the compiled program itself",
                       path, line);
  }
  if (text.starts_with("BC\xc0\xde")) return fmt::format("{} is LLVM bitcode: link it first", path);
  if (!text.starts_with(ELFMAG) || got < sizeof(Elf64_Ehdr)) return "";
  Elf64_Ehdr header;
  std::memcpy(&header, beginning, sizeof header);
  if (header.e_type == ET_REL)
    return fmt::format(
        "{} is an object file: link it first, for example with heddle cc {} -o program", path,
        path);
  if (header.e_type == ET_CORE)
    return fmt::format("{} is a core dump; name the program that it is of", path);
  return "";
}

// Everything that can be said without looking for what is in the program; empty if nothing is
// wrong.
std::string file_complaint(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return errno == ENOENT ? fmt::format("there is no file {}; check the path", path)
                           : fmt::format("cannot read {}: {}", path, std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    return fmt::format("{} is a directory; name a program or source files", path);
  if (!S_ISREG(status.st_mode))
    return fmt::format("{} is not a regular file; name a program or source files", path);
  if (std::string complaint = contents_complaint(path); !complaint.empty()) return complaint;
  if (gains_rights(path, status))
    return fmt::format(
        "{} is run with rights of its own (setuid, setgid or file capabilities), so the system "
        "lets "
        "nobody load a library into it; check a copy without them (cp {} copy)",
        path, path);
  if (access(path.c_str(), X_OK) != 0)
    return fmt::format(
        "{} is not executable; name a compiled program (chmod +x if it is one), or source files "
        "ending in .c, .cc, .cpp or .cxx",
        path);
  return "";
}

std::string elf_complaint(const ElfFile& file, const std::string& path) {
  GElf_Ehdr header;
  if (!file.header(header))
    return fmt::format("{} is not an ELF program (a script?); name the compiled program itself",
                       path);
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return fmt::format("{} is a 32-bit program; compile it for x86-64 (without -m32)", path);
  if (header.e_machine != EM_X86_64)
    return fmt::format("{} is not an x86-64 program; compile it for x86-64", path);
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return fmt::format("{} is not a linked program; link it first, for example with heddle cc",
                       path);
  if (has_interpreter(file.get())) return "";
  if (is_shared_library(file.get(), header))
    return fmt::format("{} is a shared library; name a program that uses it", path);
  return fmt::format("{} is statically linked; link it dynamically, without -static", path);
}

}  // namespace

Result<Program> inspect_program(const std::string& path) {
  if (std::string complaint = file_complaint(path); !complaint.empty()) return Error{complaint};
  ElfFile file(path);
  if (!file.readable()) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  if (std::string complaint = elf_complaint(file, path); !complaint.empty())
    return Error{complaint};
  Instrumentation instrumentation = find_instrumentation(file.get());
  if (instrumentation.carried || needs_libtsan(file.get()))
    return Error{fmt::format(
        "{} is linked with ThreadSanitizer's own runtime; compile and link it with heddle cc or "
        "heddle c++ instead",
        path)};
  constexpr uint64_t kBiasOfPie = 0x555555554000;  // the kernel's choice on x86-64
  GElf_Ehdr header;
  bool movable = file.header(header) && header.e_type == ET_DYN;
  std::error_code ignored;
  std::filesystem::path absolute = std::filesystem::canonical(path, ignored);
  std::vector<std::string> uncompiled;
  if (instrumentation.wanted) uncompiled = uncompiled_parts(file.get());
  return Program{absolute.string(),          absolute.filename().string(),
                 identify(file.get(), path), movable ? kBiasOfPie : 0,
                 instrumentation.wanted,     main_returns_nothing(absolute.string()),
                 std::move(uncompiled)};
}

bool reports_accesses(const std::string& path) {
  const ElfFile file(path);
  return file.get() != nullptr && find_instrumentation(file.get()).wanted;
}

}  // namespace heddle
