#include "runtime/descriptor_uses.h"

#include <fcntl.h>

#include "runtime/evidence.h"
#include "runtime/output.h"
#include "runtime/races.h"
#include "runtime/raw.h"

namespace heddle {
namespace {

// Where nothing is mapped: these addresses are names only. A number that was closed and is open
// again is another descriptor, hence the generations.
constexpr uint64_t kBase = kWindowEnd - (1ull << 32);
constexpr uint64_t kBytesEach = 8 * 4096;

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
    use.generation = (use.generation + 1) % 4096;
  }
  const uint64_t cell = kBase + static_cast<uint64_t>(descriptor) * kBytesEach + use.generation * 8;
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

int descriptor_at(Address address) {
  const uint64_t at = value(address) - kBase;
  return at < kFirstPrivateDescriptor * kBytesEach ? static_cast<int>(at / kBytesEach) : -1;
}

}  // namespace heddle
