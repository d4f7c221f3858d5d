// Data of the C++ library that only it knows, written by functions that programs inline: the first
// std::ctype<char>::narrow of a character, in whatever thread that is, notes the result in the
// facet (std::regex does that all the time). No program can do anything about it.
#pragma once

#include <cstdint>

namespace heddle {

// Whether the address lies in data of the C++ library of which no name is exported. Streams and
// what else programs know by name are their business.
bool in_library_cache(uint64_t address);

}  // namespace heddle
