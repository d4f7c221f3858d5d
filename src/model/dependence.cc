// What the footprints of the table in operations.h mean. Where that is coarser than it could be
// (two signals of one condition) that costs executions, never soundness; the tests check it against
// commutation.
#include "model/dependence.h"

#include "model/any_descriptor.h"
#include "model/process_end.h"

namespace heddle {
namespace {

Access sync(Address object, AccessMode mode = AccessMode::Changes) {
  return {ResourceKind::Sync, mode, value(object), value(object) + 1};
}

Access thread(uint64_t number, AccessMode mode) {
  return {ResourceKind::Thread, mode, number, number + 1};
}

Access memory(const Action& action, AccessMode mode) {
  uint64_t bytes = action.size == 0 ? 1 : action.size;
  return {ResourceKind::Memory, mode, value(action.object), value(action.object) + bytes};
}

// See process_end.h.
void add_order_of_ends(const Action& end, Accesses& list) {
  const bool counts = end.second == kOrderCounts;
  if (end.thread == kMainThread) {
    list.add(sync(kExitHandlers, AccessMode::Observes));
    if (counts) list.add(sync(kOrderOfEnds));
  } else {
    list.add(sync(kOrderOfEnds, counts ? AccessMode::Changes : AccessMode::Observes));
  }
}

}  // namespace

Accesses accesses_of(const Action& action) {
  Accesses list;
  switch (operation(action.op).accesses) {
    case Footprint::Nothing:
      break;
    case Footprint::Object:
      list.add(sync(action.object));
      break;
    case Footprint::ObjectRead:  // readers do not disturb each other
      list.add(sync(action.object, AccessMode::Observes));
      break;
    case Footprint::FirstOnly:  // done is final
      list.add(sync(action.object,
                    action.second == kIsDone ? AccessMode::Observes : AccessMode::Changes));
      break;
    case Footprint::Arrival:  // it matters who is the last, not in which order the others come
      list.add(sync(action.object,
                    action.second == kEarly ? AccessMode::Observes : AccessMode::Changes));
      break;
    case Footprint::RwRelease:  // readers come and go as they like
      list.add(sync(action.object,
                    action.second == kSharedHold ? AccessMode::Observes : AccessMode::Changes));
      break;
    case Footprint::ObjectAndMutex:
      list.add(sync(action.object));
      list.add(sync(action.second));
      break;
    case Footprint::Guard:
      list.add(sync(action.object));
      list.add({ResourceKind::Memory, AccessMode::Changes, value(action.object),
                value(action.object) + 1});
      break;
    case Footprint::FutexWord:  // reads the word and joins the queue, in one
      list.add(sync(action.object));
      list.add(memory(action, AccessMode::Observes));
      break;
    // A wait for several descriptors reads all that there are: coarse, but reads and writes of
    // different ones stay independent of each other.
    case Footprint::Descriptor:
      list.add(sync(action.object));
      list.add(sync(kAnyDescriptor, AccessMode::Observes));
      break;
    case Footprint::AllDescriptors:
      list.add(sync(kAnyDescriptor));
      break;
    case Footprint::MemoryRead:
      list.add(memory(action, AccessMode::Observes));
      break;
    case Footprint::MemoryWrite:
      list.add(memory(action, AccessMode::Changes));
      break;
    case Footprint::MemoryUpdate:
      list.add(
          memory(action, action.second == kWouldFail ? AccessMode::Observes : AccessMode::Changes));
      break;
    case Footprint::Registration:
      list.add(sync(action.object));
      if (action.second == kOrderCounts) list.add(sync(kOrderOfEnds));
      break;
    case Footprint::ThreadCreated:
      list.add(thread(value(action.object), AccessMode::Changes));
      break;
    case Footprint::ThreadBegin:
      list.add(thread(index(action.thread), AccessMode::Observes));
      break;
    case Footprint::ThreadEnd:
      list.add(thread(index(action.thread), AccessMode::Changes));
      // For attempts to join. No object of a program lies at so small an address.
      list.add({ResourceKind::Sync, AccessMode::Changes, index(action.thread),
                index(action.thread) + 1});
      add_order_of_ends(action, list);
      break;
    case Footprint::ThreadJoined:
      list.add(thread(value(action.object), AccessMode::Observes));
      break;
    case Footprint::ThreadState:  // sees the end, or does not; unlike a join it may come before it
      list.add(sync(action.object, AccessMode::Observes));
      break;
    case Footprint::Everything:
      list.add({ResourceKind::Everything, AccessMode::Changes, 0, 0});
      break;
  }
  return list;
}

bool conflict(const Access& a, const Access& b) {
  if (a.kind != b.kind) return false;
  if (a.mode == AccessMode::Observes && b.mode == AccessMode::Observes) return false;
  return a.begin < b.end && b.begin < a.end;
}

// Of an atomic section that has not been taken yet nobody knows what it touches.
bool meets_everything(const Action& action) {
  constexpr OpSet kSuch =
      OpSet::where([](const Operation& o) { return o.accesses == Footprint::Everything; });
  return kSuch.contains(action.op) || is_section(action);
}

bool dependent(const Action& a, const Action& b) {
  if (a.thread == b.thread) return true;
  if (meets_everything(a) || meets_everything(b)) return true;
  for (const Access& x : accesses_of(a))
    for (const Access& y : accesses_of(b))
      if (conflict(x, y)) return true;
  return false;
}

}  // namespace heddle
