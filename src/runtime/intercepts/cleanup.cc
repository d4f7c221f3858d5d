// pthread_cleanup_push in C: the macro fills a jump buffer and registers it; when the thread
// leaves, control jumps there, the handler runs, and the code asks for the next one. (In C++ the
// macro is an object with a destructor, and unwinding does the work.)
#include "runtime/intercepts/cleanup.h"

#include <pthread.h>

#include <csetjmp>

#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"

namespace heddle {
namespace {

// The part of the buffer that is ours to use: the first of its private words links to the next.
void*& outer(__pthread_unwind_buf_t* buffer) {
  return buffer->__pad[0];
}

void push(__pthread_unwind_buf_t* buffer) {
  outer(buffer) = current_thread().cleanup;
  current_thread().cleanup = buffer;
}

void pop(__pthread_unwind_buf_t* buffer) {
  current_thread().cleanup = outer(buffer);
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(real::resolve(name));
}

using Handle = void (*)(__pthread_unwind_buf_t*);

}  // namespace

void exit_thread(void* result) {
  ProgramThread& self = current_thread();
  self.result = result;
  if (self.cleanup == nullptr) unwind_and_end(result);
  auto* buffer = static_cast<__pthread_unwind_buf_t*>(self.cleanup);
  self.cleanup = outer(buffer);
  siglongjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
}

}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (g_switches.on_fiber) return push(buffer);
  next<Handle>("__pthread_register_cancel")(buffer);
}

HEDDLE_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (g_switches.on_fiber) return pop(buffer);
  next<Handle>("__pthread_unregister_cancel")(buffer);
}

HEDDLE_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (g_switches.on_fiber) exit_thread(current_thread().result);
  next<Handle>("__pthread_unwind_next")(buffer);
  __builtin_unreachable();
}
