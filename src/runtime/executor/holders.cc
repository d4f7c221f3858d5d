// Who holds what a blocked thread waits for: deadlocks are told apart by it, and reports show it.
#include "runtime/core/native_executor.h"
#include "runtime/objects/mutex_state.h"
#include "runtime/objects/rwlock_state.h"
#include "runtime/objects/sync_state.h"

namespace heddle {
namespace {

bool is_rwlock(Op op) {
  return op == Op::RwRead || op == Op::RwWrite;
}

ThreadId rwlock_holder(const ReadHolds& read_holds, const Action& next) {
  ThreadId writer = RwlockState(next.object).writer();
  return writer != kNoThread ? writer : read_holds.reader(next.object, next.thread);
}

}  // namespace

ThreadId NativeExecutor::waits_for(const Action& next) const {
  switch (next.op) {
    case Op::MutexLock:
    case Op::CondRelock:
      return MutexState(next.object).owner();
    case Op::SpinLock:
      return SpinState(next.object).owner();
    case Op::RwRead:
    case Op::RwWrite:
      return rwlock_holder(read_holds_, next);
    case Op::Blocked:
      return is_rwlock(static_cast<Op>(next.size)) ? rwlock_holder(read_holds_, next) : kNoThread;
    case Op::ThreadJoin:
      return ThreadId{static_cast<uint32_t>(value(next.object))};
    default:
      return kNoThread;
  }
}

}  // namespace heddle
