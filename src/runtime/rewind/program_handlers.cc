#include "runtime/rewind/program_handlers.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace heddle {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr size_t kHandlers = 32;

struct ProgramHandlers {
  struct sigaction now[kHandlers];
  struct sigaction at_start[kHandlers];
};
ProgramHandlers g_handlers;

}  // namespace

std::span<const int> crash_signals() {
  return kCrashes;
}

bool is_crash_signal(int signal) {
  return std::find(std::begin(kCrashes), std::end(kCrashes), signal) != std::end(kCrashes);
}

void keep_program_handler(int signal) {
  sigaction(signal, nullptr, &g_handlers.at_start[signal]);
}

struct sigaction& program_handler(int signal) {
  return g_handlers.now[signal];
}

void exchange_program_handler(int signal, const struct sigaction* action,
                              struct sigaction* before) {
  const struct sigaction old = g_handlers.now[signal];
  if (action != nullptr) g_handlers.now[signal] = *action;
  if (before != nullptr) *before = old;
}

void reset_program_handlers() {
  memcpy(g_handlers.now, g_handlers.at_start, sizeof g_handlers.now);
}

}  // namespace heddle
