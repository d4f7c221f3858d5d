#include "runtime/checkers/descriptor_uses.h"

#include <fcntl.h>

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/races.h"
#include "runtime/guest/raw.h"
#include "runtime/objects/descriptor_names.h"

namespace heddle {
namespace {

struct Use {
  uint16_t generation = 0;
  bool closed = false;
};
Use g_uses[kFirstPrivateDescriptor];
bool g_used = false;

bool is_open(int descriptor) {
  return raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), F_GETFD) >= 0;
}

}  // namespace

void note_descriptor(int descriptor, AccessKind kind, Address pc) {
  if (descriptor < 0 || descriptor >= kFirstPrivateDescriptor) return;
  Use& use = g_uses[descriptor];
  g_used = true;
  if (use.closed && is_open(descriptor)) {
    use.closed = false;
    use.generation = (use.generation + 1) % kDescriptorGenerations;
  }
  const uint64_t cell = name_of_descriptor(descriptor, use.generation);
  if (g_switches.gathers)
    evidence().access(kind == AccessKind::Write ? Op::Write : Op::Read, cell, 1, pc);
  g_races.access(cell, 1, kind, pc);
  if (kind == AccessKind::Write) use.closed = true;
}

void forget_descriptors() {
  if (!g_used) return;
  g_used = false;
  for (Use& use : g_uses) use = {};
}

}  // namespace heddle
