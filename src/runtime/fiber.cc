#include "runtime/fiber.h"

#include "base/check.h"
#include "runtime/layout.h"
#include "runtime/raw.h"
#include "runtime/reserved.h"

namespace heddle {
namespace {

uint64_t slot_base(ThreadId thread) {
  return kStackBase + index(thread) * kStackSlotBytes;
}

// How much of each slot's upper end is mapped.
uint64_t* mapped_bytes() {
  static uint64_t* bytes = nullptr;
  if (bytes == nullptr)
    bytes = static_cast<uint64_t*>(reserve_private(kMaxThreads * sizeof(uint64_t)));
  return bytes;
}

}  // namespace

StackRange stack_of(ThreadId thread, uint64_t bytes) {
  uint64_t& mapped = mapped_bytes()[index(thread)];
  uint64_t end = slot_base(thread) + kStackSlotBytes;
  bytes = page_up(bytes);
  if (bytes > mapped) {
    HEDDLE_CHECK(bytes <= kLargestStack && raw::map_fixed(end - bytes, bytes - mapped));
    mapped = bytes;
  }
  return {end - mapped, end};
}

ThreadId stack_owner(uint64_t address) {
  if (address < kStackBase || address >= kStackBase + kMaxThreads * kStackSlotBytes)
    return kNoThread;
  return ThreadId{static_cast<uint32_t>((address - kStackBase) / kStackSlotBytes)};
}

bool in_guard_page(uint64_t address) {
  ThreadId owner = stack_owner(address);
  if (owner == kNoThread) return false;
  return address < slot_base(owner) + kStackSlotBytes - mapped_bytes()[index(owner)];
}

}  // namespace heddle
