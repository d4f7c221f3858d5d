#include "runtime/checkers/volatile_places.h"

#include <array>

namespace heddle {
namespace {

// Of places that share a slot the last is kept.
constinit std::array<Address, 1024> g_places{};

Address& slot_of(Address pc) {
  return g_places[(value(pc) * 0x9e3779b97f4a7c15) >> 54];
}

}  // namespace

void note_volatile(Address pc) {
  slot_of(pc) = pc;
}

bool is_volatile(Address pc) {
  return pc != kNoAddress && slot_of(pc) == pc;
}

}  // namespace heddle
