#include "runtime/checkers/promoted.h"

#include <algorithm>

#include "runtime/core/runtime.h"

namespace heddle {
namespace {

PromotedMemory* g_promoted = nullptr;

}  // namespace

void use_promoted(PromotedMemory* memory) {
  g_promoted = memory;
  g_switches.promotes = !memory->empty();
  g_switches.update_accesses();
}

const PromotedMemory& promoted() {
  return *g_promoted;
}

bool promote(Address begin, uint32_t size) {
  auto known = [&](const VisibleMemory& memory) {
    return value(begin) >= value(memory.begin) &&
           value(begin) + size <= value(memory.begin) + memory.size;
  };
  if (std::any_of(g_promoted->begin(), g_promoted->end(), known)) return false;
  g_promoted->push_back({begin, size});
  g_switches.promotes = true;
  g_switches.update_accesses();
  return true;
}

bool is_promoted(uint64_t address, uint64_t bytes) {
  return std::any_of(g_promoted->begin(), g_promoted->end(), [&](const VisibleMemory& memory) {
    return address < value(memory.begin) + memory.size && value(memory.begin) < address + bytes;
  });
}

}  // namespace heddle
