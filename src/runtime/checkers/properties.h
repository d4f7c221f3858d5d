// Functions of the program that the command line names by their addresses in a file.
#pragma once

#include <cstdint>

namespace heddle {

// Where code of a library ("": of the executable) has been loaded, given its address in the file;
// 0 if there is none.
uint64_t code_of(const char* library, uint64_t address);

// Those of a property file, which hold from the beginning on.
void add_properties();

}  // namespace heddle
