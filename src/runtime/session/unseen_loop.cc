// The processor's trap flag reports each instruction before it is executed. Of each we decode no
// more than the memory it accesses; where its address lies relative to the end of the instruction,
// the next report tells where that is.
#include "runtime/session/unseen_loop.h"

#include "runtime/core/runtime.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/own_image.h"
#include "runtime/guest/safe_load.h"

namespace heddle {
namespace {

constexpr uint64_t kTrapFlag = 0x100;

uint64_t get(const ucontext_t* context, int which) {
  return static_cast<uint64_t>(context->uc_mcontext.gregs[which]);
}

uint64_t general_register(const ucontext_t* context, unsigned number) {
  constexpr int kOrder[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                            REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return get(context, kOrder[number]);
}

struct Operand {
  enum Kind : uint8_t { None, At, BehindInstruction } kind = None;
  uint64_t address = 0;  // or the distance
};

bool is_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
         byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
         byte == 0x65;
}

// Whether a ModRM byte follows an opcode of one byte, and the memory it names is accessed.
bool accesses(uint8_t opcode, uint8_t modrm) {
  if (opcode < 0x40) return (opcode & 7) < 4;
  if (opcode == 0x63 || opcode == 0x69 || opcode == 0x6b) return true;
  if (opcode >= 0x80 && opcode <= 0x8f) return opcode != 0x8d;               // lea
  if (opcode == 0xff) return (modrm >> 3 & 7) < 2 || (modrm >> 3 & 7) == 6;  // no jumps, no calls
  return opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 ||
         (opcode >= 0xd0 && opcode <= 0xd3) || (opcode >= 0xd8 && opcode <= 0xdf) ||
         opcode == 0xf6 || opcode == 0xf7 || opcode == 0xfe;
}

// The same for opcodes behind 0f.
bool accesses_0f(uint8_t opcode) {
  if (opcode == 0x05 || opcode == 0x0b || opcode == 0x0d || (opcode >= 0x18 && opcode <= 0x1f))
    return false;  // system calls, traps, hints
  if ((opcode >= 0x30 && opcode <= 0x37) || opcode == 0x77 || opcode == 0xa2) return false;
  if ((opcode >= 0x80 && opcode <= 0x8f) || (opcode >= 0xc8 && opcode <= 0xcf)) return false;
  return opcode != 0xa0 && opcode != 0xa1 && opcode != 0xa8 && opcode != 0xa9;
}

bool is_string_operation(uint8_t opcode) {
  return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xac && opcode <= 0xaf);
}

Operand memory_operand(const ucontext_t* context, const uint8_t* at, uint8_t rex) {
  const uint8_t modrm = *at++;
  const unsigned mode = modrm >> 6, rm = modrm & 7;
  if (mode == 3) return {};
  int32_t distance = 0;
  uint64_t address = 0;
  bool has_base = true;
  if (rm == 4) {
    const uint8_t sib = *at++;
    const unsigned index = (sib >> 3 & 7) | (rex & 2) << 2, base = (sib & 7) | (rex & 1) << 3;
    if (index != 4) address += general_register(context, index) << (sib >> 6);
    has_base = !((sib & 7) == 5 && mode == 0);
    if (has_base) address += general_register(context, base);
  } else if (rm == 5 && mode == 0) {
    __builtin_memcpy(&distance, at, sizeof distance);
    return {Operand::BehindInstruction, static_cast<uint64_t>(int64_t{distance})};
  } else {
    address += general_register(context, rm | (rex & 1) << 3);
  }
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): a displacement of one byte has a sign
  if (mode == 1) distance = static_cast<int8_t>(*at);
  if (mode == 2 || !has_base) __builtin_memcpy(&distance, at, sizeof distance);
  return {Operand::At, address + static_cast<uint64_t>(int64_t{distance})};
}

Operand operand_of(const ucontext_t* context) {
  const auto* at = reinterpret_cast<const uint8_t*>(get(context, REG_RIP));
  uint8_t rex = 0;
  bool in_segment = false;
  for (; is_prefix(*at); ++at) in_segment = in_segment || *at == 0x64 || *at == 0x65;
  if (in_segment) return {};  // storage of the thread itself
  if ((*at & 0xf0) == 0x40) rex = *at++;
  if (*at == 0xc5) return memory_operand(context, at + 3, static_cast<uint8_t>(0));
  if (*at == 0xc4) return memory_operand(context, at + 4, static_cast<uint8_t>(~at[1] >> 5 & 7));
  if (*at == 0x62) return memory_operand(context, at + 5, static_cast<uint8_t>(~at[1] >> 5 & 7));
  if (*at == 0x0f) {
    if (at[1] == 0x38 || at[1] == 0x3a) return memory_operand(context, at + 3, rex);
    return accesses_0f(at[1]) ? memory_operand(context, at + 2, rex) : Operand{};
  }
  if (is_string_operation(*at)) {
    const bool scans = *at == 0xae || *at == 0xaf;
    return {Operand::At, get(context, scans ? REG_RDI : REG_RSI)};
  }
  return accesses(*at, at[1]) ? memory_operand(context, at + 1, rex) : Operand{};
}

struct Hash {
  uint64_t value = 0xcbf29ce484222325;
  void add(uint64_t word) {
    value = (value ^ word) * 0x9ddfea08eb382d69;
    value ^= value >> 29;
  }
  void add(uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; at += sizeof(uint64_t))
      add(load_if_there(at, sizeof(uint64_t)));
  }
};

// With the flags that computations leave, and the parts for floating point.
uint64_t registers_of(const ucontext_t* context) {
  constexpr uint64_t kFlags = 0xcd5, kStack = 32, kVectorsEnd = 416;
  Hash hash;
  for (int which = 0; which <= REG_RIP; ++which) hash.add(get(context, which));
  hash.add(get(context, REG_EFL) & kFlags);
  const auto area = reinterpret_cast<uint64_t>(context->uc_mcontext.fpregs);
  if (area != 0) hash.add(area + kStack, area + kVectorsEnd);
  return hash.value;
}

}  // namespace

// 0 if that would be too much.
uint64_t UnseenLoop::memory_of(const ucontext_t* context) {
  constexpr uint64_t kRedZone = 128;
  const uint64_t shared = g_runtime.executor.global_state();
  if (shared == 0) return 0;
  Hash hash;
  hash.add(shared);
  const uint64_t top = g_switches.own_stack + kStackSlotBytes;
  const uint64_t low = (get(context, REG_RSP) - kRedZone) & ~7ull;
  if (low < g_switches.own_stack || low > top) return 0;
  hash.add(low, top);
  return hash.value | 1;
}

bool UnseenLoop::comes_back(const ucontext_t* context) {
  const uint64_t registers = registers_of(context);
  if (looked_ >= 2 * kept_at_) {
    kept_at_ = looked_;
    kept_registers_ = registers;
    kept_memory_ = memory_of(context);
    compared_ = 0;
    return false;
  }
  if (registers != kept_registers_ || kept_memory_ == 0 || compared_ == kCompared) return false;
  ++compared_;
  return memory_of(context) == kept_memory_;
}

void UnseenLoop::begin(ucontext_t* context) {
  watching_ = true;
  thread_ = current_thread().id;
  steps_ = g_runtime.executor.steps();
  looked_ = announcements_ = kept_at_ = 0;
  exits_.begin();
  in_runtime_ = has_relative_ = false;
  context->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

LoopVerdict UnseenLoop::end(ucontext_t* context, LoopVerdict verdict) {
  watching_ = false;
  context->uc_mcontext.gregs[REG_EFL] &= ~static_cast<greg_t>(kTrapFlag);
  return verdict;
}

bool UnseenLoop::was_announced(uint64_t address) const {
  for (uint64_t known : announced_)
    if (known <= address && address < known + 16) return true;
  return false;
}

// Memory that others can write, and that nobody told us of.
bool UnseenLoop::is_unseen(uint64_t address) const {
  if (address < kPageBytes || was_announced(address)) return false;
  const uint64_t own = g_switches.own_stack;
  if (address >= own && address < own + kStackSlotBytes) return false;
  return !in_constant_segment(address);
}

LoopVerdict UnseenLoop::look(ucontext_t* context) {
  if (!g_switches.on_fiber || current_thread().id != thread_ ||
      g_runtime.executor.steps() != steps_)
    return end(context, LoopVerdict::GoesOn);
  const uint64_t pc = get(context, REG_RIP);
  if (has_relative_ && is_unseen(pc + relative_)) return end(context, LoopVerdict::Unseen);
  has_relative_ = false;
  const bool ours = g_switches.in_runtime || in_own_image(pc);
  if (++looked_ > kInstructions && (!ours || looked_ > 2 * kInstructions))
    return end(context, exits_.none(pc) ? LoopVerdict::Livelock : LoopVerdict::Computes);
  if (ours && !in_runtime_) announced_[announcements_++ % kAnnounced] = get(context, REG_RDI);
  in_runtime_ = ours;
  if (ours) return LoopVerdict::NotYet;
  if (looked_ > kInstructions / 2) exits_.note(pc, get(context, REG_RSP));
  if (comes_back(context)) return end(context, LoopVerdict::Livelock);
  const Operand operand = operand_of(context);
  if (operand.kind == Operand::At && is_unseen(operand.address))
    return end(context, LoopVerdict::Unseen);
  has_relative_ = operand.kind == Operand::BehindInstruction;
  relative_ = operand.address;
  return LoopVerdict::NotYet;
}

}  // namespace heddle
