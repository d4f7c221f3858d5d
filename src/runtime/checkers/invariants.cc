#include "runtime/checkers/invariants.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "runtime/core/runtime.h"

namespace heddle {
namespace {

constexpr size_t kMost = 256;

struct Invariant {
  char name[128];
  int (*holds)(void*);
  void* argument;
  uint64_t property;       // the function, if it is one of a property file; else 0
  uint64_t property_mask;  // of what it returns
  const char* message;     // what else there is to say, or null

  bool evaluate() const {
    if (property == 0) return holds(argument) != 0;
    return (reinterpret_cast<uint64_t (*)()>(property)() & property_mask) != 0;
  }
};

Invariant g_invariants[kMost];
size_t g_count = 0;
Invariant g_baseline[kMost];
size_t g_baseline_count = 0;
bool g_evaluating = false;
bool g_memory_checked = false;  // while none is being evaluated

// Looking is no access of the running thread: neither a step nor one side of a race.
bool holds(const Invariant& invariant) {
  const Switches before = g_switches;
  const int error = errno;
  g_memory_checked = before.memory;
  g_switches.concurrent = g_switches.looks_last = g_switches.every_access = g_switches.races =
      g_switches.memory = false;
  g_switches.accesses = 0;
  g_evaluating = true;
  const bool answer = invariant.evaluate();
  g_evaluating = false;
  g_switches = before;
  errno = error;
  return answer;
}

std::string describe(const Invariant& invariant) {
  std::string text = std::string("the invariant \"") + invariant.name + "\" does not hold";
  if (invariant.message != nullptr) text.append(": ").append(invariant.message);
  return text;
}

void update_switch() {
  g_switches.invariants = g_count > 0;
}

Invariant* add(const char* name) {
  if (g_count == kMost) return nullptr;
  Invariant& invariant = g_invariants[g_count++];
  invariant = {};
  memcpy(invariant.name, name, strnlen(name, sizeof invariant.name - 1));
  update_switch();
  return &invariant;
}

}  // namespace

bool add_invariant(const char* name, int (*function)(void*), void* argument) {
  Invariant* invariant = add(name);
  if (invariant == nullptr) return false;
  invariant->holds = function;
  invariant->argument = argument;
  return true;
}

bool add_property(const char* name, const char* message, uint64_t function, uint32_t result_bytes) {
  Invariant* invariant = add(name);
  if (invariant == nullptr) return false;
  invariant->property = function;
  invariant->property_mask = ~uint64_t{0} >> (64 - 8 * std::clamp(result_bytes, 1u, 8u));
  invariant->message = message[0] != '\0' ? message : nullptr;
  return true;
}

void remove_invariant(int (*function)(void*), void* argument) {
  size_t kept = 0;
  for (size_t i = 0; i < g_count; ++i)
    if (g_invariants[i].property != 0 || g_invariants[i].holds != function ||
        g_invariants[i].argument != argument)
      g_invariants[kept++] = g_invariants[i];
  g_count = kept;
  update_switch();
}

void check_invariants(Address pc) {
  for (size_t i = 0; i < g_count; ++i) {
    if (holds(g_invariants[i])) continue;
    RuntimeScope scope;
    fail(FindingKind::Invariant, describe(g_invariants[i]), pc);
  }
}

bool evaluating_invariant() {
  return g_evaluating;
}

void take_invariants_baseline() {
  std::copy_n(g_invariants, g_count, g_baseline);
  g_baseline_count = g_count;
}

void reset_invariants() {
  std::copy_n(g_baseline, g_baseline_count, g_invariants);
  g_count = g_baseline_count;
  if (g_evaluating) g_switches.memory = g_memory_checked;  // it never came back
  g_evaluating = false;
  update_switch();
}

}  // namespace heddle
