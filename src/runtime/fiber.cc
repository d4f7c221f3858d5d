#include "runtime/fiber.h"

#include "base/check.h"
#include "runtime/layout.h"
#include "runtime/raw.h"
#include "runtime/reserved.h"

namespace heddle {
namespace {

uint64_t slot_base(ThreadId thread) { return kStackBase + index(thread) * kStackSlotBytes; }

bool* mapped_slots() {
  static bool* slots = nullptr;
  if (slots == nullptr) slots = static_cast<bool*>(reserve_private(kMaxThreads));
  return slots;
}

}  // namespace

StackRange stack_of(ThreadId thread) {
  StackRange range{slot_base(thread) + kStackSlotBytes - kStackBytes,
                   slot_base(thread) + kStackSlotBytes};
  bool& mapped = mapped_slots()[index(thread)];
  if (!mapped) {
    HEDDLE_CHECK(raw::map_fixed(range.begin, kStackBytes));
    mapped = true;
  }
  return range;
}

ThreadId stack_owner(uint64_t address) {
  if (address < kStackBase || address >= kStackBase + kMaxThreads * kStackSlotBytes)
    return kNoThread;
  return ThreadId{static_cast<uint32_t>((address - kStackBase) / kStackSlotBytes)};
}

bool in_guard_page(uint64_t address) {
  ThreadId owner = stack_owner(address);
  if (owner == kNoThread) return false;
  return address < slot_base(owner) + kStackSlotBytes - kStackBytes;
}

}  // namespace heddle
