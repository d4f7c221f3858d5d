// Plain memory on which a race was found and whose accesses are steps from then on
// (--races=explore): the outcomes of the race are searched, too.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// Lies in the arena: every process of the search must see the same steps.
using PromotedMemory = std::vector<VisibleMemory>;

void use_promoted(PromotedMemory* memory);
const PromotedMemory& promoted();
// False if it was there already.
bool promote(Address begin, uint32_t size);
bool is_promoted(uint64_t address, uint64_t bytes);

}  // namespace heddle
