// The table. Where it is coarser than it could be (two signals of one condition, a compare-and-swap
// that fails) that costs executions, never soundness; the tests check it against commutation.
#include "model/dependence.h"

#include "model/any_descriptor.h"

namespace heddle {
namespace {

Access sync(Address object, AccessMode mode = AccessMode::Changes) {
  return {ResourceKind::Sync, mode, value(object), value(object) + 1};
}

Access thread(uint64_t number, AccessMode mode) {
  return {ResourceKind::Thread, mode, number, number + 1};
}

constexpr bool meets_everything(Op op) {
  return op == Op::ProcessExit || op == Op::TimeOut || op == Op::ThreadCancel;
}

Access memory(const Action& action, AccessMode mode) {
  uint64_t bytes = action.size == 0 ? 1 : action.size;
  return {ResourceKind::Memory, mode, value(action.object), value(action.object) + bytes};
}

}  // namespace

Accesses accesses_of(const Action& action) {
  Accesses list;
  switch (action.op) {
    case Op::ThreadCreate:
      list.add(thread(value(action.object), AccessMode::Changes));
      break;
    case Op::ThreadExit:
      list.add(thread(index(action.thread), AccessMode::Changes));
      // For attempts to join. No object of a program lies at so small an address.
      list.add({ResourceKind::Sync, AccessMode::Changes, index(action.thread),
                index(action.thread) + 1});
      break;
    case Op::ThreadStart:
      list.add(thread(index(action.thread), AccessMode::Observes));
      break;
    case Op::ThreadJoin:
      list.add(thread(value(action.object), AccessMode::Observes));
      break;
    case Op::MutexLock:
    case Op::MutexTryLock:
    case Op::MutexUnlock:
    case Op::MutexDestroy:
    case Op::CondSignal:
    case Op::CondBroadcast:
    case Op::CondDestroy:
    case Op::Once:
    case Op::StaticInit:
    case Op::SpinLock:
    case Op::SpinTryLock:
    case Op::SpinUnlock:
    case Op::SpinDestroy:
    case Op::RwWrite:
    case Op::RwTryWrite:
    case Op::RwUnlock:
    case Op::RwDestroy:
    case Op::SemOpen:
    case Op::SemWait:
    case Op::SemTryWait:
    case Op::SemPost:
    case Op::SemDestroy:
    case Op::BarrierWait:
    case Op::BarrierDestroy:
    case Op::Blocked:
    case Op::Retry:
    case Op::MutexTimedLock:
    case Op::RwTimedWrite:
    case Op::SemTimedWait:
    case Op::FutexWake:
      list.add(sync(action.object));
      break;
    // A wait for several descriptors looks at all that there are: coarse, but reads and writes of
    // different ones stay independent of each other.
    case Op::FdRead:
    case Op::FdWrite:
    case Op::FdClose:
      list.add(sync(action.object));
      list.add(sync(kAnyDescriptor, AccessMode::Observes));
      break;
    case Op::FdWait:
      list.add(sync(kAnyDescriptor));
      break;
    case Op::OnceEnd:  // compiled code reads the guard of a static without asking us
      list.add(sync(action.object));
      list.add({ResourceKind::Memory, AccessMode::Changes, value(action.object),
                value(action.object) + 1});
      break;
    case Op::FutexWait:  // looks at the word and joins the queue, in one
    case Op::FutexTimedWait:
      list.add(sync(action.object));
      list.add(memory(action, AccessMode::Observes));
      break;
    case Op::RwRead:  // readers do not disturb each other
    case Op::RwTryRead:
    case Op::RwTimedRead:
    case Op::FutexBlocked:
    case Op::FutexWoken:
    case Op::SemValue:
    case Op::BarrierBlocked:
    case Op::BarrierWoken:
      list.add(sync(action.object, AccessMode::Observes));
      break;
    case Op::CondWait:
    case Op::CondTimedWait:
    case Op::CondBlocked:
      list.add(sync(action.object));
      list.add(sync(action.second));
      break;
    case Op::CondRelock:  // only the mutex: what woke the thread enabled it, see the header
      list.add(sync(action.object));
      break;
    case Op::Read:
    case Op::AtomicLoad:
      list.add(memory(action, AccessMode::Observes));
      break;
    case Op::Write:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::AtomicCas:
      list.add(memory(action, AccessMode::Changes));
      break;
    case Op::ThreadTryJoin:  // sees the end, or does not; unlike a join it may come before it
      list.add({ResourceKind::Sync, AccessMode::Observes, value(action.object),
                value(action.object) + 1});
      break;
    case Op::ThreadCancel:
    case Op::TimeOut:
    case Op::ProcessExit:
      list.add({ResourceKind::Everything, AccessMode::Changes, 0, 0});
      break;
    case Op::Yield:
    case Op::Sleep:
    case Op::CancelPoint:
    case Op::Choose:
    case Op::AtomicBegin:
      break;
  }
  return list;
}

bool conflict(const Access& a, const Access& b) {
  if (a.kind != b.kind) return false;
  if (a.mode == AccessMode::Observes && b.mode == AccessMode::Observes) return false;
  return a.begin < b.end && b.begin < a.end;
}

bool dependent(const Action& a, const Action& b) {
  if (a.thread == b.thread) return true;
  if (meets_everything(a.op) || meets_everything(b.op)) return true;
  for (const Access& x : accesses_of(a))
    for (const Access& y : accesses_of(b))
      if (conflict(x, y)) return true;
  return false;
}

}  // namespace heddle
