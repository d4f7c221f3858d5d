// What <heddle/heddle.h> calls: the program speaks to the search. A program that is linked with us
// but not under control goes on as if nothing had been said.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/checkers/invariants.h"
#include "runtime/core/runtime.h"
#include "runtime/objects/labels.h"
#include "strategies/combinations.h"

namespace heddle {
namespace {

bool in_execution() {
  return g_switches.controlled && g_switches.on_fiber;
}

const char* base_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

// Made here, since what calls fail() must not have a string alive.
std::string describe(const char* text, const char* file, unsigned line, const char* function) {
  return std::string("heddle_assert `") + text + "' fails in " + function + " at " +
         base_name(file) + ":" + std::to_string(line);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

// Where the command lies, for heddle::check; null if it is not near this library.
HEDDLE_EXPORT const char* heddle_v1_command() {
  static char path[4096];
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&heddle_v1_command), &info) == 0) return nullptr;
  const auto home = static_cast<int>(base_name(info.dli_fname) - info.dli_fname);
  for (const char* place : {"../cli/heddle", "../bin/heddle", "../../bin/heddle"}) {
    snprintf(path, sizeof path, "%.*s%s", home, info.dli_fname, place);
    if (access(path, X_OK) == 0) return path;
  }
  return nullptr;
}

HEDDLE_EXPORT int heddle_v1_running() {
  return in_execution() ? 1 : 0;
}

// A step even where main is alone: the search has to come back to it.
HEDDLE_EXPORT unsigned heddle_v1_choose(unsigned n) {
  if (!in_execution() || n == 1) return 0;
  if (n == 0)
    fail(FindingKind::Assertion, "heddle_choose is asked to choose from nothing", HEDDLE_CALLER);
  return always_visible({.op = Op::Choose, .object = Address{n}, .pc = HEDDLE_CALLER});
}

HEDDLE_EXPORT void heddle_v1_broken_assumption() {
  if (in_execution()) dismiss();
}

HEDDLE_EXPORT void heddle_v1_failed_assertion(const char* text, const char* file, unsigned line,
                                              const char* function) {
  if (!in_execution()) return;
  RuntimeScope scope;
  fail(FindingKind::Assertion, describe(text, file, line, function), HEDDLE_CALLER);
}

HEDDLE_EXPORT void heddle_v1_yield() {
  visible({.op = Op::Yield, .pc = HEDDLE_CALLER});
}

HEDDLE_EXPORT void heddle_v1_name(const volatile void* object, const char* name) {
  if (controlled() && name != nullptr) labels().give(address_of(object), name);
}

HEDDLE_EXPORT void heddle_v1_atomic_begin() {
  if (!in_execution()) return;
  if (keeps_states(g_runtime.header->options)) cannot_run(Limitation::AtomicSections);
  g_runtime.executor.enter_section(HEDDLE_CALLER);
}

HEDDLE_EXPORT void heddle_v1_atomic_end() {
  if (!in_execution()) return;
  if (current_thread().sections == 0)
    fail(FindingKind::Assertion, "heddle_atomic_end is called outside an atomic section",
         HEDDLE_CALLER);
  g_runtime.executor.leave_section();
}

HEDDLE_EXPORT void heddle_v1_invariant(const char* name, int (*holds)(void*), void* argument) {
  if (!controlled() || holds == nullptr) return;
  if (leaves_out_states(g_runtime.header->options)) cannot_run(Limitation::Invariants);
  if (!add_invariant(name != nullptr ? name : "unnamed", holds, argument))
    cannot_run(
        "the program registers more than 256 invariants; end some with heddle_invariant_end");
}

HEDDLE_EXPORT void heddle_v1_invariant_end(int (*holds)(void*), void* argument) {
  if (controlled()) remove_invariant(holds, argument);
}
