// The steps of a counterexample as the path of a witness.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "prove/counterexample.h"
#include "prove/witness.h"
#include "prove/witness_property.h"

namespace heddle::prove {

// `file`: lines are told of places in it only.
std::vector<WitnessEdge> witness_path(const frontend::Translation& translation,
                                      const Counterexample& told, const WitnessProperty& broken,
                                      const std::string& file);

// The function of SV-COMP that is called at the place; "" if none is, or if it is not known which.
std::string verifier_function_at(const frontend::Translation& translation, Address pc,
                                 frontend::VerifierCall::Role role);

}  // namespace heddle::prove
