// A state in words: where the threads stand, and what the objects hold.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

class Machine;

std::string state_text(Machine& machine, const uint8_t* state);
// Only what the program leaves behind: the objects, not the threads.
std::string memory_text(Machine& machine, const uint8_t* state);

}  // namespace heddle
