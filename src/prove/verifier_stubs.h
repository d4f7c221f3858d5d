// SV-COMP's functions for a native run: inputs are those of a counterexample, in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::prove {

// Source in C that defines the functions.
std::string verifier_stubs(const std::vector<std::string>& functions,
                           const std::vector<uint64_t>& inputs);

}  // namespace heddle::prove
