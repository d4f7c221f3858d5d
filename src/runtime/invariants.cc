#include "runtime/invariants.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "runtime/runtime.h"

namespace heddle {
namespace {

constexpr size_t kMost = 256;

struct Invariant {
  char name[64];
  int (*holds)(void*);
  void* argument;
};

Invariant g_invariants[kMost];
size_t g_count = 0;
Invariant g_baseline[kMost];
size_t g_baseline_count = 0;
bool g_evaluating = false;

// Looking is no access of the running thread: neither a step nor one side of a race.
bool holds(const Invariant& invariant) {
  const Switches before = g_switches;
  const int error = errno;
  g_switches.concurrent = g_switches.every_access = g_switches.races = g_switches.memory = false;
  g_switches.accesses = 0;
  g_evaluating = true;
  const bool answer = invariant.holds(invariant.argument) != 0;
  g_evaluating = false;
  g_switches = before;
  errno = error;
  return answer;
}

void update_switch() {
  g_switches.invariants = g_count > 0;
}

}  // namespace

bool add_invariant(const char* name, int (*function)(void*), void* argument) {
  if (g_count == kMost) return false;
  Invariant& invariant = g_invariants[g_count++];
  const size_t length = strnlen(name, sizeof invariant.name - 1);
  memcpy(invariant.name, name, length);
  invariant.name[length] = '\0';
  invariant.holds = function;
  invariant.argument = argument;
  update_switch();
  return true;
}

void remove_invariant(int (*function)(void*), void* argument) {
  size_t kept = 0;
  for (size_t i = 0; i < g_count; ++i)
    if (g_invariants[i].holds != function || g_invariants[i].argument != argument)
      g_invariants[kept++] = g_invariants[i];
  g_count = kept;
  update_switch();
}

void check_invariants(Address pc) {
  for (size_t i = 0; i < g_count; ++i) {
    if (holds(g_invariants[i])) continue;
    RuntimeScope scope;
    fail(FindingKind::Invariant,
         std::string("the invariant \"") + g_invariants[i].name + "\" does not hold", pc);
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
  g_evaluating = false;
  update_switch();
}

}  // namespace heddle
