#include "cli/locked_instructions.h"

#include <capstone/capstone.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "cli/elf_file.h"
#include "report/narrator.h"

namespace heddle {
namespace {

constexpr uint8_t kLock = 0xf0;
constexpr size_t kLargestFunction = 1 << 20;
constexpr size_t kShown = 3;

struct Function {
  uint64_t address;
  uint64_t bytes;
  bool operator<(const Function& other) const { return address < other.address; }
};

// The disassembler, with what it needs to know of operands.
class Decoder {
 public:
  Decoder() {
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) return;
    cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(handle_);
  }
  ~Decoder() {
    if (instruction_ == nullptr) return;
    cs_free(instruction_, 1);
    cs_close(&handle_);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  void find(const uint8_t* code, const Function& function, Uncontrolled& found) {
    if (instruction_ == nullptr) return;
    size_t left = function.bytes;
    uint64_t address = function.address;
    while (cs_disasm_iter(handle_, &code, &left, &address, instruction_)) {
      if (is_locked()) found.atomic.push_back(instruction_->address);
      if (is_unpredictable()) found.unpredictable.push_back(instruction_->address);
    }
  }

 private:
  // A locked instruction on the top of the stack is a fence.
  bool is_locked() const {
    const cs_x86& x86 = instruction_->detail->x86;
    const bool exchange = instruction_->id == X86_INS_XCHG;
    if (!exchange && x86.prefix[0] != X86_PREFIX_LOCK) return false;
    for (uint8_t i = 0; i < x86.op_count; ++i)
      if (x86.operands[i].type == X86_OP_MEM) return x86.operands[i].mem.base != X86_REG_RSP;
    return false;
  }

  bool is_unpredictable() const {
    switch (instruction_->id) {
      case X86_INS_RDRAND:
      case X86_INS_RDSEED:
      case X86_INS_RDTSC:
      case X86_INS_RDTSCP:
        return true;
      default:
        return false;
    }
  }

  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
};

// Of a stripped file, from the table by which exceptions find their frames: pairs of 32-bit numbers
// relative to the table's section, in order; each function is taken to reach up to the next.
std::vector<Function> functions_by_frames(Elf* elf) {
  constexpr uint8_t kEncodings[] = {0x1b, 0x03, 0x3b};  // what the linker writes
  std::vector<Function> functions;
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return functions;
  for_each_section(elf, SHT_PROGBITS, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const char* name = elf_strptr(elf, names, header.sh_name);
    Elf_Data* data = elf_rawdata(section, nullptr);
    if (name == nullptr || std::string_view(name) != ".eh_frame_hdr" || data == nullptr ||
        data->d_buf == nullptr || data->d_size < 12)
      return;
    const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
    if (bytes[0] != 1 || std::memcmp(bytes + 1, kEncodings, sizeof kEncodings) != 0) return;
    for (size_t at = 12; at + 8 <= data->d_size; at += 8) {
      int32_t offset = 0;
      std::memcpy(&offset, bytes + at, sizeof offset);
      const uint64_t address = header.sh_addr + static_cast<uint64_t>(int64_t{offset});
      if (!functions.empty() && address > functions.back().address)
        functions.back().bytes =
            std::min<uint64_t>(address - functions.back().address, kLargestFunction);
      functions.push_back({address, 0});
    }
  });
  std::erase_if(functions, [](const Function& function) { return function.bytes == 0; });
  return functions;
}

std::vector<Function> functions_of(Elf* elf) {
  std::vector<Function> functions;
  for_each_entry(elf, SHT_SYMTAB, gelf_getsym, [&](const GElf_Sym& symbol, const GElf_Shdr&) {
    if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size > 0 &&
        symbol.st_size < kLargestFunction)
      functions.push_back({symbol.st_value, symbol.st_size});
  });
  if (functions.empty()) functions = functions_by_frames(elf);
  std::sort(functions.begin(), functions.end());
  return functions;
}

// Whether some bytes may be an instruction that we look for: the prefix or an exchange; rdrand and
// rdseed, rdtsc, rdtscp.
bool is_suspicious(const uint8_t* code, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    const uint8_t byte = code[i];
    if (byte == kLock || byte == 0x86 || byte == 0x87) return true;
    if (byte == 0x0f && i + 1 < bytes &&
        (code[i + 1] == 0xc7 || code[i + 1] == 0x31 || code[i + 1] == 0x01))
      return true;
  }
  return false;
}

// Decodes the functions of a section in which something suspicious occurs.
void look_through(Elf_Data* data, uint64_t begin, const std::vector<Function>& functions,
                  Decoder& decoder, Uncontrolled& found) {
  const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
  auto from = std::lower_bound(functions.begin(), functions.end(), Function{begin, 0});
  uint64_t done = begin;
  for (; from != functions.end() && from->address < begin + data->d_size; ++from) {
    if (from->address < done || from->bytes > begin + data->d_size - from->address) continue;
    const uint8_t* code = bytes + (from->address - begin);
    if (is_suspicious(code, from->bytes)) decoder.find(code, *from, found);
    done = from->address + from->bytes;
  }
}

std::string place(const std::string& path, uint64_t address) {
  // Places are looked up by return addresses.
  std::string text = place_of_call(path, 0, Address{address + 1});
  return text.empty() ? fmt::format("{:#x}", address) : fmt::format("{} ({:#x})", text, address);
}

std::string places(const std::string& path, const std::vector<uint64_t>& addresses) {
  std::string text;
  for (size_t i = 0; i < std::min(addresses.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + place(path, addresses[i]);
  return addresses.size() > kShown ? text + ", …" : text;
}

void add_file(const std::string& path, bool instrumented, bool several_threads, RunResult& result) {
  const Uncontrolled found = uncontrolled_instructions(path);
  if (const size_t count = found.atomic.size(); count > 0) {
    result.notes.push_back(
        fmt::format("{} atomic {} not under control: {}; {}", count,
                    count == 1 ? "instruction is" : "instructions are", places(path, found.atomic),
                    instrumented ? "use the atomics of the language in place of assembly"
                                 : "compile the program with heddle cc or heddle c++"));
    if (several_threads) result.facts.add(Caveat::AtomicInstructions);
  }
  if (const size_t count = found.unpredictable.size(); count > 0)
    result.notes.push_back(fmt::format(
        "{} {} random numbers or the processor's clock, which differ from execution to execution: "
        "{}; use getrandom and clock_gettime instead",
        count, count == 1 ? "instruction reads" : "instructions read",
        places(path, found.unpredictable)));
}

}  // namespace

Uncontrolled uncontrolled_instructions(const std::string& path) {
  Uncontrolled found;
  const ElfFile file(path);
  if (file.get() == nullptr) return found;
  const std::vector<Function> functions = functions_of(file.get());
  Decoder decoder;
  for_each_section(file.get(), SHT_PROGBITS, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if ((header.sh_flags & SHF_EXECINSTR) == 0) return;
    Elf_Data* data = elf_rawdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr)
      look_through(data, header.sh_addr, functions, decoder, found);
  });
  return found;
}

void add_uncontrolled_code(const Program& program, const std::vector<std::string>& libraries,
                           bool several_threads, RunResult& result) {
  std::vector<std::string>& uncompiled = result.facts.uncompiled;
  uncompiled = program.uncompiled;
  add_file(program.path, program.instrumented && uncompiled.empty(), several_threads, result);
  for (const std::string& library : libraries) {
    const bool instrumented = reports_accesses(library);
    if (!instrumented) uncompiled.push_back(std::filesystem::path(library).filename().string());
    add_file(library, instrumented, several_threads, result);
  }
  if (uncompiled.empty() || !program.instrumented || !several_threads) return;
  if (uncompiled.size() > kShown) {
    uncompiled.resize(kShown);
    uncompiled.emplace_back("…");
  }
  result.facts.add(Caveat::UncompiledParts);
}

}  // namespace heddle
