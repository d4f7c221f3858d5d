#include "runtime/checkers/evidence.h"

#include <algorithm>

#include "runtime/core/runtime.h"
#include "runtime/guest/pointers.h"
#include "runtime/threads/fiber.h"
#include "runtime/threads/stack_trace.h"

namespace heddle {
namespace {

Op op_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read:
      return Op::Read;
    case AccessKind::Write:
      return Op::Write;
    case AccessKind::AtomicRead:
      return Op::AtomicLoad;
    case AccessKind::AtomicWrite:
      return Op::AtomicRmw;
  }
  __builtin_unreachable();
}

bool reads(Op op) {
  return op == Op::Read || op == Op::AtomicLoad;
}

}  // namespace

// Made with `new`, so that it lies in the arena and no exit handler is registered for it.
Evidence& evidence() {
  static Evidence* instance = nullptr;
  if (instance == nullptr) {
    RuntimeScope scope;
    instance = new Evidence;
  }
  return *instance;
}

void Evidence::begin(const Failure& awaited) {
  *this = {};
  awaited_ = awaited;
  if (awaited.object != kNoAddress) stack_owner_ = stack_owner(value(awaited.object));
  g_switches.gathers = awaited.object != kNoAddress;
  g_switches.update_accesses();
}

std::vector<TraceEvidence> Evidence::end() {
  g_switches.gathers = false;
  g_switches.update_accesses();
  std::vector<TraceEvidence> all = std::move(race_);
  all.insert(all.end(), block_.begin(), block_.end());
  *this = {};
  return all;
}

bool Evidence::concerns(uint64_t begin, uint64_t bytes) const {
  uint64_t wanted = value(awaited_.object), size = std::max<uint64_t>(awaited_.size, 1);
  return begin < wanted + size && wanted < begin + bytes;
}

TraceEvidence Evidence::describe(EvidenceRole role, Op op, uint64_t address, uint64_t bytes) const {
  TraceEvidence item;
  item.role = role;
  item.action.op = op;
  item.action.thread = current_thread().id;
  item.action.object = Address{address};
  item.action.size = static_cast<uint32_t>(std::min<uint64_t>(bytes, 0xffffffff));
  item.step = g_runtime.executor.steps();
  for (const HeldLock& held : held_)
    if (held.thread == current_thread().id) item.locks.push_back(held.lock);
  Address stack[kMaxStackDepth];
  int depth = capture_call_stack(stack, kMaxStackDepth);
  item.stack.assign(stack, stack + depth);
  return item;
}

void Evidence::in_function() {
  if (stack_owner_ == kNoThread || current_thread().id != stack_owner_) return;
  RuntimeScope scope;
  const StackFrame frame = frame_around(value(awaited_.object));
  if (frame.pc == kNoAddress) return;
  frame_ = {stack_owner_, frame.pc, Address{frame.range.begin}, Address{frame.range.end}};
}

void Evidence::access(Op op, uint64_t address, uint64_t bytes, Address pc) {
  if (stack_owner_ != kNoThread && concerns(address, bytes)) in_function();
  if (concerns(address, bytes)) note_written_values();
  if (!concerns(address, bytes) || (pc != awaited_.pc && pc != awaited_.other)) return;
  RuntimeScope scope;
  TraceEvidence item = describe(EvidenceRole::EarlierAccess, op, address, bytes);
  item.action.pc = pc;
  if (reads(op)) item.value = value_at(address, bytes);
  for (TraceEvidence& known : accesses_) {
    if (known.action.thread != item.action.thread || known.action.pc != pc) continue;
    if (reads(known.action.op) != reads(op)) continue;  // a call of the library may do both
    known = std::move(item);
    return;
  }
  accesses_.push_back(std::move(item));
}

// What was written shows when somebody comes to the same memory next.
void Evidence::note_written_values() {
  for (TraceEvidence& known : accesses_)
    if (known.action.op == Op::Write && !known.value)
      known.value = value_at(value(known.action.object), known.action.size);
}

void Evidence::allocated(uint64_t block, uint64_t bytes) {
  if (!concerns(block, bytes)) return;
  RuntimeScope scope;
  block_ = {describe(EvidenceRole::Allocated, Op::Write, block, bytes)};
}

void Evidence::freed(uint64_t block, uint64_t bytes) {
  if (!concerns(block, bytes)) return;
  RuntimeScope scope;
  block_.push_back(describe(EvidenceRole::Freed, Op::Write, block, bytes));
  pointer_ = pointer_to(block);
}

void Evidence::bad_access(Op op, uint64_t address, uint64_t bytes, Address pc) {
  RuntimeScope scope;
  block_.push_back(describe(EvidenceRole::BadAccess, op, address, bytes));
  block_.back().action.pc = pc;
}

void Evidence::bad_free(uint64_t block, Address pc) {
  RuntimeScope scope;
  block_.push_back(describe(EvidenceRole::BadFree, Op::Write, block, 0));
  block_.back().action.pc = pc;
}

void Evidence::lock_taken(Address lock) {
  RuntimeScope scope;
  held_.push_back({current_thread().id, lock});
}

void Evidence::lock_given_back(Address lock) {
  for (size_t i = held_.size(); i-- > 0;) {
    if (held_[i].lock != lock || held_[i].thread != current_thread().id) continue;
    held_.erase(held_.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

void Evidence::race_found(const Race& race, Failure failure) {
  if (awaited_.kind != FindingKind::DataRace) return;
  // A recording that no native execution made does not know the place: any race will do.
  if (awaited_.pc != kNoAddress && !same_bug(awaited_, failure)) return;
  TraceEvidence later = describe(EvidenceRole::LaterAccess, op_of(race.later.kind),
                                 value(race.later.begin), race.later.size);
  later.action.pc = race.later.pc;
  if (reads(later.action.op)) later.value = value_at(value(race.later.begin), race.later.size);
  race_ = {std::move(later)};
  const bool earlier_reads = reads(op_of(race.earlier.kind));
  for (const TraceEvidence& access : accesses_)
    if (access.action.thread == race.earlier.thread && access.action.pc == race.earlier.pc &&
        reads(access.action.op) == earlier_reads)
      race_.push_back(access);
  if (race_.size() == 1) {  // its stack is not known, but its place is
    TraceEvidence earlier;
    earlier.role = EvidenceRole::EarlierAccess;
    earlier.action.op = op_of(race.earlier.kind);
    earlier.action.thread = race.earlier.thread;
    earlier.action.object = race.earlier.begin;
    earlier.action.size = race.earlier.size;
    earlier.action.pc = race.earlier.pc;
    earlier.stack = {race.earlier.pc};
    race_.push_back(std::move(earlier));
  }
  fail(std::move(failure));
}

}  // namespace heddle
