// The table. Where it is coarser than it could be (two signals of one condition, a compare-and-swap
// that fails) that costs executions, never soundness; the tests check it against commutation.
#include "model/dependence.h"

namespace heddle {
namespace {

Access sync(Address object, Touch touch = Touch::Changes) {
  return {ThingKind::Sync, touch, value(object), value(object) + 1};
}

Access thread(uint64_t number, Touch touch) {
  return {ThingKind::Thread, touch, number, number + 1};
}

Access memory(const Action& action, Touch touch) {
  uint64_t bytes = action.size == 0 ? 1 : action.size;
  return {ThingKind::Memory, touch, value(action.object), value(action.object) + bytes};
}

}  // namespace

Accesses accesses_of(const Action& action) {
  Accesses list;
  switch (action.op) {
    case Op::ThreadCreate:
      list.add(thread(value(action.object), Touch::Changes));
      break;
    case Op::ThreadExit:
      list.add(thread(index(action.thread), Touch::Changes));
      break;
    case Op::ThreadStart:
      list.add(thread(index(action.thread), Touch::Observes));
      break;
    case Op::ThreadJoin:
      list.add(thread(value(action.object), Touch::Observes));
      break;
    case Op::MutexLock:
    case Op::MutexTryLock:
    case Op::MutexUnlock:
    case Op::MutexDestroy:
    case Op::CondSignal:
    case Op::CondBroadcast:
    case Op::CondDestroy:
    case Op::Once:
    case Op::OnceEnd:
    case Op::StaticInit:
      list.add(sync(action.object));
      break;
    case Op::CondWait:
    case Op::CondBlocked:
      list.add(sync(action.object));
      list.add(sync(action.second));
      break;
    case Op::CondRelock:  // only the mutex: what woke the thread enabled it, see the header
      list.add(sync(action.object));
      break;
    case Op::Read:
    case Op::AtomicLoad:
      list.add(memory(action, Touch::Observes));
      break;
    case Op::Write:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::AtomicCas:
      list.add(memory(action, Touch::Changes));
      break;
    case Op::ProcessExit:
      list.add({ThingKind::Everything, Touch::Changes, 0, 0});
      break;
    case Op::Yield:
    case Op::Sleep:
    case Op::Choose:
      break;
  }
  return list;
}

bool conflict(const Access& a, const Access& b) {
  if (a.kind != b.kind) return false;
  if (a.touch == Touch::Observes && b.touch == Touch::Observes) return false;
  return a.begin < b.end && b.begin < a.end;
}

bool dependent(const Action& a, const Action& b) {
  if (a.thread == b.thread || a.op == Op::ProcessExit || b.op == Op::ProcessExit) return true;
  for (const Access& x : accesses_of(a))
    for (const Access& y : accesses_of(b))
      if (conflict(x, y)) return true;
  return false;
}

}  // namespace heddle
