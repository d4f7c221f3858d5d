// SV-COMP's functions for a native run: inputs are those of a counterexample, in their order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::prove {

// Source in C that defines the functions.
std::string verifier_stubs(const std::vector<std::string>& functions,
                           const std::vector<uint64_t>& inputs);

// The input as a constant expression of C, as the function gives it; "" where its type is not
// known.
std::string input_constant(std::string_view function, uint64_t value);

}  // namespace heddle::prove
