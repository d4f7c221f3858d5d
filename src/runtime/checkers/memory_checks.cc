#include "runtime/checkers/memory_checks.h"

#include <cstdio>

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/races.h"
#include "runtime/objects/sync_objects.h"
#include "runtime/threads/fiber.h"

namespace heddle {
namespace {

const char* plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

// "thread 1 reads 4 bytes at 0x…", "thread 1 unlocks the object at 0x…"
int describe_access(char* text, size_t room, Op op, uint64_t address, uint64_t bytes) {
  if (bytes_of_object(op) != 0)
    return snprintf(text, room, "thread %u %s the object at 0x%lx", index(current_thread().id),
                    verb(op).data(), static_cast<unsigned long>(address));
  return snprintf(text, room, "thread %u %s %lu byte%s at 0x%lx", index(current_thread().id),
                  verb(op).data(), static_cast<unsigned long>(bytes), plural(bytes),
                  static_cast<unsigned long>(address));
}

[[noreturn]] void bad_heap_access(Op op, uint64_t address, uint64_t bytes, Address pc) {
  RuntimeScope scope;
  HeapBlock block = g_runtime.heap.find_block(address);
  char text[300];
  int length = describe_access(text, sizeof text, op, address, bytes);
  char* rest = text + length;
  size_t room = sizeof text - static_cast<size_t>(length);
  auto size = static_cast<unsigned long>(block.bytes);
  if (block.begin == 0)
    snprintf(rest, room, ", which belongs to no heap block");
  else if (block.freed)
    snprintf(rest, room, ", %lu bytes into a heap block of %lu byte%s that has been freed",
             static_cast<unsigned long>(address - block.begin), size, plural(size));
  else if (address >= block.begin + block.bytes)
    snprintf(rest, room, ", %lu bytes behind the end of a heap block of %lu byte%s",
             static_cast<unsigned long>(address - block.begin - block.bytes), size, plural(size));
  else
    snprintf(rest, room, ", beyond the end of a heap block of %lu byte%s", size, plural(size));
  Failure failure;
  failure.kind = block.freed ? FindingKind::UseAfterFree : FindingKind::OutOfBounds;
  failure.message = text;
  failure.thread = current_thread().id;
  failure.pc = pc;
  failure.object = Address{block.begin != 0 ? block.begin : address};
  failure.size = static_cast<uint32_t>(block.begin != 0 ? block.bytes : bytes);
  if (g_switches.gathers) evidence().bad_access(op, address, bytes, pc);
  fail(std::move(failure));
}

void look_at_stack(Op op, uint64_t address, uint64_t bytes, Address pc) {
  ThreadId owner = stack_owner(address);
  if (owner == kNoThread || owner == current_thread().id) return;
  if (g_runtime.executor.thread(owner).life == Life::Live) return;
  RuntimeScope scope;
  char text[300];
  int length = describe_access(text, sizeof text, op, address, bytes);
  snprintf(text + length, sizeof text - static_cast<size_t>(length),
           ", on the stack of thread %u, which has ended", index(owner));
  Failure failure;
  failure.kind = FindingKind::StackUse;
  failure.message = text;
  failure.thread = current_thread().id;
  failure.pc = pc;
  failure.object = Address{address};
  failure.size = static_cast<uint32_t>(bytes);
  if (g_switches.gathers) evidence().bad_access(op, address, bytes, pc);
  fail(std::move(failure));
}

}  // namespace

void use_object_at(Op op, const volatile void* object, uint32_t bytes, Address pc) {
  const uint64_t at = value(address_of(object));
  if (!explored() || !worth_a_look(at) || at - g_switches.own_stack < kStackSlotBytes) return;
  if (g_runtime.heap.checks()) look_closely(op, at, bytes, pc);
  const bool makes_anew = op == Op::Write;
  if (g_switches.gathers) evidence().access(makes_anew ? Op::Write : Op::Read, at, 1, pc);
  if (g_switches.races)
    g_races.access(at, 1, makes_anew ? AccessKind::Write : AccessKind::Read, pc);
}

void use_object(const Action& action) {
  const auto use = [&](Address object, uint32_t bytes) {
    use_object_at(action.op, reinterpret_cast<void*>(value(object)), bytes, action.pc);
  };
  use(action.object, bytes_of_object(action.op));
  if (action.op == Op::CondWait || action.op == Op::CondTimedWait)
    use(action.second, sizeof(pthread_mutex_t));
}

void look_closely(Op op, uint64_t address, uint64_t bytes, Address pc) {
  if (!g_switches.on_fiber || g_switches.in_runtime || bytes == 0) return;
  if (!g_runtime.heap.may_access(address, bytes)) bad_heap_access(op, address, bytes, pc);
  if (address < kHeapBase) look_at_stack(op, address, bytes, pc);
}

}  // namespace heddle
