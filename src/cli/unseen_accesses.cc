#include "cli/unseen_accesses.h"

#include <string_view>

#include "cli/elf_file.h"

namespace heddle {
namespace {

constexpr std::string_view kPlugin = "heddle: whole values";  // says src/plugin/main.cc
constexpr std::string_view kClang = "clang version";

// What the compilers of its parts have left there.
std::string comments_of(const std::string& path) {
  std::string text;
  const ElfFile file(path);
  size_t names = 0;
  if (file.get() == nullptr || elf_getshdrstrndx(file.get(), &names) != 0) return text;
  for_each_section(file.get(), SHT_PROGBITS, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const char* name = elf_strptr(file.get(), names, header.sh_name);
    if (name == nullptr || std::string_view(name) != ".comment") return;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr)
      text.append(static_cast<const char*>(data->d_buf), data->d_size);
  });
  return text;
}

}  // namespace

void add_unseen_accesses(const Program& program, bool several_threads, RunResult& result) {
  if (!program.instrumented || !several_threads) return;
  const std::string comments = comments_of(program.path);
  if (comments.find(kClang) != std::string::npos)
    result.facts.add(Caveat::UnusualSizes);
  else if (comments.find(kPlugin) == std::string::npos)
    result.facts.add(Caveat::StructuresByValue);
}

}  // namespace heddle
