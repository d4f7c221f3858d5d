// Which part of the address space belongs to which loaded file.
#pragma once

#include <cstdint>

namespace heddle {

bool in_own_image(uint64_t address);
// In the dynamic linker.
bool in_linker(uint64_t address);
bool in_program(uint64_t address);  // code or data of the executable

// Whether the address lies in the executable or a library, code or data.
bool in_module(uint64_t address);
// The same, and nobody can write there.
bool in_constant_segment(uint64_t address);

}  // namespace heddle
