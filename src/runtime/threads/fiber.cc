#include "runtime/threads/fiber.h"

#include "base/check.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/reserved.h"

asm(R"(
.text
.hidden heddle_call_on
.global heddle_call_on
.type heddle_call_on, @function
heddle_call_on:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdx, %rsp
  andq $-16, %rsp
  call *%rsi
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
.size heddle_call_on, . - heddle_call_on
)");

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
