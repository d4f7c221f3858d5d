// Threads: create, join, detach, exit. pthread_self and pthread_equal work as they are, because a
// fiber runs with a thread pointer of its own.
#include <cxxabi.h>
#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/executor/deferred_constructors.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/intercepts/cleanup.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/intercepts/pthread_calls.h"
#include "runtime/rewind/thread_exit.h"
#include "runtime/session/session.h"

namespace heddle::real {
HEDDLE_REAL(pthread_join)
HEDDLE_REAL(pthread_tryjoin_np)
HEDDLE_REAL(pthread_timedjoin_np)
HEDDLE_REAL(pthread_clockjoin_np)
HEDDLE_REAL(pthread_setname_np)
HEDDLE_REAL(pthread_getname_np)
HEDDLE_REAL(pthread_detach)
HEDDLE_REAL(pthread_exit)
HEDDLE_REAL(pthread_key_create)
HEDDLE_REAL(pthread_key_delete)
}  // namespace heddle::real

namespace heddle {
namespace {

using StopFunction = _Unwind_Reason_Code (*)(int, _Unwind_Action, _Unwind_Exception_Class,
                                             _Unwind_Exception*, _Unwind_Context*, void*);
using ForcedUnwind = _Unwind_Reason_Code (*)(_Unwind_Exception*, StopFunction, void*);

// Called before each frame is unwound; ends the thread where its stack ends.
_Unwind_Reason_Code stop(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                         _Unwind_Context*, void* result) {
  if ((actions & _UA_END_OF_STACK) != 0) g_runtime.executor.end_thread(result);
  return _URC_NO_REASON;
}

}  // namespace

namespace {

// The thread behind a handle that may be joined by the running one.
ProgramThread& joinable(pthread_t handle, Address pc) {
  NativeExecutor& executor = g_runtime.executor;
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == kNoThread || executor.thread(id).life == Life::None || executor.thread(id).joined)
    fail(FindingKind::ThreadMisuse, "pthread_join of a thread that does not exist or was joined",
         pc);
  ProgramThread& target = executor.thread(id);
  if (target.detached) fail(FindingKind::ThreadMisuse, "pthread_join of a detached thread", pc);
  if (target.being_joined) fail(FindingKind::ThreadMisuse, "two threads join the same thread", pc);
  return target;
}

// Whichever comes first: a thread is detached or joined.
int joined(ProgramThread& target, void** result, Address pc) {
  if (target.detached)
    fail(FindingKind::ThreadMisuse, "pthread_join of a thread that was detached meanwhile", pc);
  g_runtime.executor.changed();
  g_runtime.executor.thread_joined(target);
  writes(result, pc);
  if (result != nullptr) *result = target.result;
  return 0;
}

int join_before(pthread_t handle, void** result, const Deadline& deadline, Address pc) {
  if (g_runtime.thread_pointers.owner_of(handle) == current_thread().id) return EDEADLK;
  ProgramThread& target = joinable(handle, pc);
  if (deadline.error != 0) return deadline.error;
  target.being_joined = true;
  const bool ended = acquire_before(
      deadline, {.op = Op::ThreadJoin, .object = Address{index(target.id)}, .pc = pc},
      Op::ThreadTryJoin, [&] { return target.life == Life::Ended; });
  target.being_joined = false;
  return ended ? joined(target, result, pc) : ETIMEDOUT;
}

}  // namespace

// Runs the destructors and cleanup handlers on the stack, as glibc does, with the unwinder that
// the program itself uses.
void unwind_and_end(void* result) {
  ForcedUnwind forced_unwind = nullptr;
  {
    RuntimeScope scope;
    void* library = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr)
      forced_unwind = reinterpret_cast<ForcedUnwind>(dlsym(library, "_Unwind_ForcedUnwind"));
  }
  static _Unwind_Exception exceptions[kMaxThreads];
  _Unwind_Exception& exception = exceptions[index(current_thread().id)];
  exception = {};
  if (forced_unwind != nullptr) forced_unwind(&exception, stop, result);
  g_runtime.executor.end_thread(result);
}

}  // namespace heddle

using namespace heddle;

int heddle::create_thread(pthread_t* handle, const pthread_attr_t* attributes,
                          void* (*entry)(void*), void* argument, Returns returns, Address pc) {
  if (!g_switches.on_fiber) start_again_before_constructors(pc);
  // The thread may rely on its handle, which glibc writes before it starts.
  reads(attributes, pc);
  writes(handle, pc);
  Address child{index(g_runtime.executor.next_child())};
  always_visible({.op = Op::ThreadCreate, .object = child, .pc = pc});
  RuntimeScope scope;
  int state = PTHREAD_CREATE_JOINABLE;
  size_t stack_bytes = kStackBytes;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &state);
    pthread_attr_getstacksize(attributes, &stack_bytes);
  }
  if (stack_bytes > kLargestStack) return EAGAIN;
  ThreadId id = g_runtime.executor.create_thread(entry, argument, state == PTHREAD_CREATE_DETACHED,
                                                 std::max<size_t>(stack_bytes, kStackBytes));
  g_runtime.executor.thread(id).returns_int = returns == Returns::Int;
  *handle = g_runtime.executor.thread(id).thread_pointer;
  return 0;
}

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                 void* (*entry)(void*), void* argument) {
  if (!controlled() || (g_switches.in_runtime && !g_switches.on_fiber)) {
    if (!controlled()) note_early_thread(HEDDLE_CALLER);
    return real::pthread_create()(handle, attributes, entry, argument);
  }
  return create_thread(handle, attributes, entry, argument, Returns::Pointer, HEDDLE_CALLER);
}

int heddle::join_thread(pthread_t handle, void** result, Address pc) {
  if (g_runtime.thread_pointers.owner_of(handle) == current_thread().id) return EDEADLK;
  cancellation_point();
  ProgramThread& target = joinable(handle, pc);
  target.being_joined = true;
  always_visible({.op = Op::ThreadJoin, .object = Address{index(target.id)}, .pc = pc});
  if (target.life != Life::Ended)
    target.being_joined = false;  // a request to cancel ended the wait
  cancellation_point();
  return joined(target, result, pc);
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_join()(handle, result);
  return join_thread(handle, result, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_tryjoin_np()(handle, result);
  if (g_runtime.thread_pointers.owner_of(handle) == current_thread().id) return EDEADLK;
  ProgramThread& target = joinable(handle, HEDDLE_CALLER);
  visible({.op = Op::ThreadTryJoin, .object = Address{index(target.id)}, .pc = HEDDLE_CALLER});
  return target.life == Life::Ended ? joined(target, result, HEDDLE_CALLER) : EBUSY;
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_timedjoin_np()(handle, result, time);
  return join_before(handle, result, deadline_at(CLOCK_REALTIME, time, HEDDLE_CALLER),
                     HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* time) {
  if (!controlled() || !g_switches.on_fiber)
    return real::pthread_clockjoin_np()(handle, result, clock, time);
  return join_before(handle, result, deadline_at(clock, time, HEDDLE_CALLER), HEDDLE_CALLER);
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_detach()(handle);
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == kNoThread || g_runtime.executor.thread(id).life == Life::None) return ESRCH;
  ProgramThread& target = g_runtime.executor.thread(id);
  if (target.detached || target.joined) return EINVAL;
  target.detached = true;
  return 0;
}

HEDDLE_EXPORT void pthread_exit(void* result) {
  if (!controlled() || !g_switches.on_fiber) real::pthread_exit()(result);
  exit_thread(result);
}

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  writes(key, HEDDLE_CALLER);
  int error = real::pthread_key_create()(key, destructor);
  if (error == 0 && controlled() && destructor != nullptr)
    thread_exit_handlers().add_key(*key, destructor);
  return error;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (controlled()) thread_exit_handlers().remove_key(key);
  return real::pthread_key_delete()(key);
}

HEDDLE_EXPORT int pthread_setname_np(pthread_t handle, const char* name) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_setname_np()(handle, name);
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == kNoThread) return ESRCH;
  access_range(Op::Read, name, strlen(name) + 1, HEDDLE_CALLER);
  char(&kept)[16] = g_runtime.executor.thread(id).name;
  const size_t length = strlen(name);
  if (length >= sizeof kept) return ERANGE;
  memcpy(kept, name, length + 1);
  return 0;
}

HEDDLE_EXPORT int pthread_getname_np(pthread_t handle, char* name, size_t bytes) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_getname_np()(handle, name, bytes);
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == kNoThread) return ESRCH;
  const char(&kept)[16] = g_runtime.executor.thread(id).name;
  const char* shown = kept[0] != '\0' ? kept : program_invocation_short_name;
  const size_t length = std::min(strlen(shown), sizeof kept - 1);
  if (bytes <= length) return ERANGE;
  access_range(Op::Write, name, length + 1, HEDDLE_CALLER);
  memcpy(name, shown, length);
  name[length] = '\0';
  return 0;
}

HEDDLE_ALSO_LOCAL(pthread_detach)

HEDDLE_ALSO_LOCAL(pthread_key_create)

HEDDLE_ALSO_LOCAL(pthread_key_delete)
