#include "runtime/checkers/stream_uses.h"

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/memory_checks.h"
#include "runtime/checkers/races.h"

namespace heddle {
namespace {

// One byte each, for race detection to tell them apart; nothing is stored there.
char g_states[static_cast<size_t>(LibraryState::count)];

void note(uint64_t at, AccessKind kind, Address pc) {
  if (!g_switches.races || !explored()) return;
  if (g_switches.gathers)
    evidence().access(kind == AccessKind::Write ? Op::Write : Op::Read, at, 1, pc);
  g_races.access(at, 1, kind, pc);
}

}  // namespace

void note_stream(const void* file, AccessKind kind, Address pc) {
  if (file == nullptr || !explored()) return;
  const uint64_t at = value(address_of(file));
  if (g_switches.memory) check_access(Op::Read, at, 1, pc);
  note(at, kind, pc);
}

void note_library_state(LibraryState state, Address pc) {
  note(value(address_of(&g_states[static_cast<size_t>(state)])), AccessKind::Write, pc);
}

}  // namespace heddle
