// Ways for a program to end: exit and its relatives, abort, failed assertions.
#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <typeinfo>

#include "model/process_end.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/rewind/exit_handlers.h"
#include "runtime/rewind/thread_exit.h"

namespace heddle {
namespace {

bool program_runs() {
  return g_switches.controlled && g_switches.on_fiber;
}

// The type of the exception under way in the program's own C++ runtime, demangled; empty if none.
std::string current_exception_type() {
  using CurrentType = const std::type_info* (*)();
  auto current_type =
      reinterpret_cast<CurrentType>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const std::type_info* type = current_type != nullptr ? current_type() : nullptr;
  if (type == nullptr) return {};
  int status = 0;
  char* demangled = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = demangled != nullptr ? demangled : type->name();
  free(demangled);
  return name;
}

// The failures below never return, so no string may be alive in them: messages are made here.
FindingKind kind_of_abort() {
  return current_exception_type().empty() ? FindingKind::Abort : FindingKind::Exception;
}

std::string describe_abort() {
  std::string type = current_exception_type();
  return type.empty() ? "the program calls abort()" : "uncaught exception of type " + type;
}

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

std::string describe_assertion(const char* assertion, const char* file, unsigned line,
                               const char* function) {
  return std::string("assertion `") + assertion + "' fails in " + function + " at " +
         base_name(file) + ":" + std::to_string(line);
}

// The order in which handlers are registered is that in which they run.
void announce_registration(Address list, Address pc) {
  if (explored()) g_runtime.executor.register_exit_handler(list, pc);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void exit(int status) {
  if (program_runs()) {
    g_runtime.executor.exit_process(status, HEDDLE_CALLER);
  }
  reinterpret_cast<void (*)(int)>(real::resolve("exit"))(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void quick_exit(int status) {
  if (program_runs()) g_runtime.executor.quick_exit_process(status, HEDDLE_CALLER);
  reinterpret_cast<void (*)(int)>(real::resolve("quick_exit"))(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _exit(int status) {
  if (program_runs()) {
    visible({.op = Op::ProcessExit, .pc = HEDDLE_CALLER});
    g_runtime.executor.finish_process(status);
  }
  raw::exit_group(status);
}
extern "C" __attribute__((visibility("hidden"), alias("_exit"), noreturn)) void heddle_taken__exit(
    int status);

HEDDLE_EXPORT void _Exit(int status) {
  heddle_taken__exit(status);
}

HEDDLE_EXPORT void abort() {
  if (program_runs()) {
    RuntimeScope scope;
    fail(kind_of_abort(), describe_abort(), HEDDLE_CALLER);
  }
  reinterpret_cast<void (*)()>(real::resolve("abort"))();
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert_fail(const char* assertion, const char* file, unsigned line,
                                 const char* function) {
  if (program_runs()) {
    RuntimeScope scope;
    fail(FindingKind::Assertion, describe_assertion(assertion, file, line, function),
         HEDDLE_CALLER);
  }
  using Fail = void (*)(const char*, const char*, unsigned, const char*);
  reinterpret_cast<Fail>(real::resolve("__assert_fail"))(assertion, file, line, function);
  __builtin_unreachable();
}

HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  if (controlled()) {
    announce_registration(kExitHandlers, HEDDLE_CALLER);
    exit_handlers().add(function, argument, module);
    g_runtime.executor.exit_handler_registered();
    return 0;
  }
  using Register = int (*)(void (*)(void*), void*, void*);
  static auto register_real = reinterpret_cast<Register>(real::resolve("__cxa_atexit"));
  return register_real(function, argument, module);
}

HEDDLE_EXPORT int on_exit(void (*function)(int, void*), void* argument) {
  if (controlled()) {
    announce_registration(kExitHandlers, HEDDLE_CALLER);
    exit_handlers().add_with_status(function, argument);
    g_runtime.executor.exit_handler_registered();
    return 0;
  }
  using Register = int (*)(void (*)(int, void*), void*);
  return reinterpret_cast<Register>(real::resolve("on_exit"))(function, argument);
}

// What at_quick_exit calls, which is linked into every executable.
HEDDLE_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void* module) {
  if (controlled()) {
    announce_registration(kQuickExitHandlers, HEDDLE_CALLER);
    quick_exit_handlers().add(function, nullptr, module);
    return 0;
  }
  using Register = int (*)(void (*)(void*), void*);
  return reinterpret_cast<Register>(real::resolve("__cxa_at_quick_exit"))(function, module);
}

HEDDLE_EXPORT void __cxa_finalize(void* module) {
  if (controlled() && module != nullptr) exit_handlers().run_of(module);
  using Finalize = void (*)(void*);
  static auto finalize_real = reinterpret_cast<Finalize>(real::resolve("__cxa_finalize"));
  finalize_real(module);
}

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* module) {
  if (controlled()) {
    ThreadId thread = g_switches.on_fiber ? current_thread().id : kMainThread;
    thread_exit_handlers().add(thread, function, object);
    return 0;
  }
  using Register = int (*)(void (*)(void*), void*, void*);
  static auto register_real = reinterpret_cast<Register>(real::resolve("__cxa_thread_atexit_impl"));
  return register_real(function, object, module);
}
