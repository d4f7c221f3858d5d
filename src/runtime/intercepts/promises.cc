// Values that libstdc++ makes ready when a thread ends: set_value_at_thread_exit and its relatives.
//
// The inline code of <future>, which is compiled with the program, hands an element to _M_set,
// which puts it on a list; a destructor of thread-specific data then calls the function in each
// element. What that does lies in the library, and we would see neither that it stores to the
// atomic that futures look at nor that it releases what the thread has done. So we put ourselves in
// front of it.
//
// The layouts below are part of libstdc++'s ABI since GCC 5, since both sides of it are compiled
// apart.
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"

namespace heddle {
namespace {

// std::__future_base::_State_baseV2::_Make_ready.
struct MakeReady {
  MakeReady* next;
  void (*run)(void*);
  char* state;           // of a std::weak_ptr to what promise and future share …
  const char* refcount;  // … and its control block
};
constexpr uint64_t kStatus = 16;   // in the shared state: behind the virtual table and the result
constexpr uint64_t kUseCount = 8;  // in the control block

void (*g_run)(void*) = nullptr;

bool is_alive(const MakeReady& element) {
  return element.refcount != nullptr &&
         *reinterpret_cast<const int*>(element.refcount + kUseCount) != 0;
}

void make_ready(void* argument) {
  const auto& element = *static_cast<const MakeReady*>(argument);
  if (g_switches.on_fiber && !g_switches.in_runtime && is_alive(element)) {
    const Address status = address_of(element.state + kStatus);
    visible({.op = Op::AtomicRmw,
             .order = MemoryOrder::Release,
             .size = sizeof(int),
             .object = status,
             .pc = HEDDLE_CALLER});
    g_runtime.executor.changed();
    if (g_switches.races)
      g_races.atomic_update(status, sizeof(int), MemoryOrder::Release, HEDDLE_CALLER);
  }
  g_run(argument);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void heddle_make_ready_set(MakeReady* element) __asm__(
    "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");

HEDDLE_EXPORT void heddle_make_ready_set(MakeReady* element) {
  static void (*set)(MakeReady*) = nullptr;
  if (set == nullptr)
    set = reinterpret_cast<void (*)(MakeReady*)>(
        real::resolve("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"));
  set(element);
  if (!controlled()) return;
  g_run = element->run;
  element->run = make_ready;
}
