// Checks all states of a program: options in, verdict and coverage out.
#pragma once

#include <optional>
#include <string>

#include "explicit/options.h"
#include "explicit/result.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// A sentence if these cannot be had together.
std::optional<std::string> refusal(const CheckOptions& options);

CheckResult check(StateSpace& space, const CheckOptions& options);

}  // namespace heddle::explicit_states
