// Reads memory of the program that may not be there any more, or never was: the program's pointer
// may be wild, its mapping gone or protected. A fault in here is nobody's crash (signals.cc).
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// Up to eight bytes; 0 where there are none.
uint64_t load_if_there(uint64_t at, size_t bytes);

// Where a fault at this instruction goes on; 0 if it is no instruction of the above.
uint64_t after_failed_load(uint64_t instruction);

}  // namespace heddle
