// Circuits in the format of hardware model checkers: AIGER, binary, version 1.9 (Biere, Heljanko,
// Wieringa, "AIGER 1.9 and beyond", 2011), with the names of inputs, latches and properties.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "circuit/aig.h"

namespace heddle::circuit {

// How properties are told: as bad-state properties beside constraints, or, for readers that know
// version 1.0 only, as outputs. The latter takes folded systems (fold.h): no constraints.
enum class AigerVersion : uint8_t { V1_0, V1_9 };

// Some readers refuse files in which two things have the same name.
enum class AigerNames : uint8_t { Written, LeftOut };

void write_aiger(const System& system, AigerVersion version, AigerNames names, std::ostream& out);

}  // namespace heddle::circuit
