// Threads: create, join, detach, exit. pthread_self and pthread_equal work as they are, because a
// fiber runs with a thread pointer of its own.
#include <cxxabi.h>
#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>

#include "runtime/intercepts/cleanup.h"
#include "runtime/real.h"
#include "runtime/runtime.h"
#include "runtime/thread_exit.h"

namespace heddle::real {
HEDDLE_REAL(pthread_join)
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

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                 void* (*entry)(void*), void* argument) {
  if (!controlled() || (g_switches.in_runtime && !g_switches.on_fiber))
    return real::pthread_create()(handle, attributes, entry, argument);
  if (!g_switches.on_fiber) unsupported("pthread_create before main", HEDDLE_CALLER);
  Address child{index(g_runtime.executor.next_child())};
  always_visible({.op = Op::ThreadCreate, .object = child, .pc = HEDDLE_CALLER});
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
  *handle = g_runtime.executor.thread(id).thread_pointer;
  return 0;
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  if (!controlled() || !g_switches.on_fiber) return real::pthread_join()(handle, result);
  NativeExecutor& executor = g_runtime.executor;
  ThreadId id = g_runtime.thread_pointers.owner_of(handle);
  if (id == current_thread().id) return EDEADLK;
  if (id == kNoThread || executor.thread(id).life == Life::None || executor.thread(id).joined)
    fail(FindingKind::ThreadMisuse, "pthread_join of a thread that does not exist or was joined",
         HEDDLE_CALLER);
  ProgramThread& target = executor.thread(id);
  if (target.detached)
    fail(FindingKind::ThreadMisuse, "pthread_join of a detached thread", HEDDLE_CALLER);
  if (target.being_joined)
    fail(FindingKind::ThreadMisuse, "two threads join the same thread", HEDDLE_CALLER);
  target.being_joined = true;
  always_visible({.op = Op::ThreadJoin, .object = Address{index(id)}, .pc = HEDDLE_CALLER});
  executor.thread_joined(target);
  if (result != nullptr) *result = target.result;
  return 0;
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
  int error = real::pthread_key_create()(key, destructor);
  if (error == 0 && controlled() && destructor != nullptr)
    thread_exit_handlers().add_key(*key, destructor);
  return error;
}

HEDDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (controlled()) thread_exit_handlers().remove_key(key);
  return real::pthread_key_delete()(key);
}
