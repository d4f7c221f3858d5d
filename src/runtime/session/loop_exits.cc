#include "runtime/session/loop_exits.h"

#include <algorithm>
#include <iterator>

#include "runtime/guest/own_image.h"
#include "runtime/guest/safe_load.h"

namespace heddle {
namespace {

// How control goes on behind an instruction.
enum class Flow : uint8_t { Next, Branch, Call, Return, Elsewhere };

struct Decoded {
  Flow flow = Flow::Next;
  uint64_t next = 0, target = 0;  // of a branch
};

bool is_prefix(uint8_t byte) {
  return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
         byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 ||
         (byte & 0xf0) == 0x40;
}

Decoded branch(const uint8_t* distance, size_t bytes) {
  int64_t by = static_cast<int8_t>(*distance);  // NOLINT(bugprone-signed-char-misuse): has a sign
  if (bytes == sizeof(int32_t)) {
    int32_t word = 0;
    __builtin_memcpy(&word, distance, sizeof word);
    by = word;
  }
  const auto next = reinterpret_cast<uint64_t>(distance) + bytes;
  return {Flow::Branch, next, next + static_cast<uint64_t>(by)};
}

// Jumps and calls through a place that nobody writes: constant, or that of a function of ours in
// the linkage table.
Flow indirect(const uint8_t* opcode) {
  const unsigned what = opcode[1] >> 3 & 7;
  if (what < 2 || what > 5) return Flow::Next;  // arithmetic, push
  constexpr uint8_t kRelative = 0x05, kMode = 0xc7;
  if (what == 3 || what == 5 || (opcode[1] & kMode) != kRelative) return Flow::Elsewhere;
  int32_t distance = 0;
  __builtin_memcpy(&distance, opcode + 2, sizeof distance);
  const uint64_t place =
      reinterpret_cast<uint64_t>(opcode) + 6 + static_cast<uint64_t>(int64_t{distance});
  const bool is_fixed =
      in_constant_segment(place) || in_own_image(load_if_there(place, sizeof place));
  if (!is_fixed) return Flow::Elsewhere;
  return what == 2 ? Flow::Call : Flow::Next;
}

bool leaves_for_the_kernel(uint8_t second) {
  return second == 0x05 || second == 0x34 || second == 0x0b || second == 0xff || second == 0xb9;
}

Decoded decode(uint64_t pc) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the program's code
  const auto* at = reinterpret_cast<const uint8_t*>(pc);
  while (is_prefix(*at)) ++at;
  const uint8_t opcode = *at;
  if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0) return branch(at + 1, 1);
  if (opcode == 0x0f && (at[1] & 0xf0) == 0x80) return branch(at + 2, sizeof(int32_t));
  if (opcode == 0x0f) return {leaves_for_the_kernel(at[1]) ? Flow::Elsewhere : Flow::Next};
  if (opcode == 0xe8) return {Flow::Call};
  if (opcode == 0xc3 || opcode == 0xc2) return {Flow::Return};
  if (opcode == 0xff) return {indirect(at)};
  constexpr uint8_t kElsewhere[] = {0xca, 0xcb, 0xcc, 0xcd, 0xcf, 0xf1, 0xf4};
  const bool transaction = opcode == 0xc7 && at[1] == 0xf8;
  const bool elsewhere = transaction || std::find(std::begin(kElsewhere), std::end(kElsewhere),
                                                  opcode) != std::end(kElsewhere);
  return {elsewhere ? Flow::Elsewhere : Flow::Next};
}

size_t hash(uint64_t pc) {
  return static_cast<size_t>(pc * 0x9ddfea08eb382d69 >> 40);
}

}  // namespace

void LoopExits::begin() {
  std::fill(std::begin(known_), std::end(known_), 0);
  count_ = depth_ = 0;
  may_leave_ = false;
}

bool LoopExits::insert(uint64_t pc) {
  size_t slot = hash(pc) % kSlots;
  for (; known_[slot] != 0; slot = (slot + 1) % kSlots)
    if (known_[slot] == pc) return true;
  if (count_ == kMost) return false;
  known_[slot] = pc;
  ++count_;
  return true;
}

bool LoopExits::contains(uint64_t pc) const {
  for (size_t slot = hash(pc) % kSlots; known_[slot] != 0; slot = (slot + 1) % kSlots)
    if (known_[slot] == pc) return true;
  return false;
}

// Calls whose return address lies below have returned meanwhile.
void LoopExits::note_call(uint64_t slot) {
  while (depth_ > 0 && calls_[depth_ - 1] <= slot) --depth_;
  if (depth_ == kCalls)
    may_leave_ = true;
  else
    calls_[depth_++] = slot;
}

bool LoopExits::returns_from_known_call(uint64_t slot) {
  while (depth_ > 0 && calls_[depth_ - 1] < slot) --depth_;
  return depth_ > 0 && calls_[--depth_] == slot;
}

void LoopExits::note(uint64_t pc, uint64_t stack_pointer) {
  if (may_leave_) return;
  const Flow flow = decode(pc).flow;
  if (flow == Flow::Return && !returns_from_known_call(stack_pointer)) return begin();
  if (flow == Flow::Call) note_call(stack_pointer - sizeof(uint64_t));
  may_leave_ = may_leave_ || flow == Flow::Elsewhere || !insert(pc);
}

bool LoopExits::none(uint64_t pc) const {
  if (may_leave_ || !contains(pc)) return false;
  return std::all_of(std::begin(known_), std::end(known_), [&](uint64_t known) {
    if (known == 0) return true;
    const Decoded decoded = decode(known);
    return decoded.flow != Flow::Branch || (contains(decoded.next) && contains(decoded.target));
  });
}

}  // namespace heddle
