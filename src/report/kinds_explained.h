// What each kind of finding means, for people who meet it for the first time.
#pragma once

#include <string>

#include "model/finding.h"
#include "report/text_style.h"

namespace heddle {

// The meaning, a small example, and what to do about it.
std::string explanation(FindingKind kind, const TextStyle& style);

// One line for each kind.
std::string list_of_explanations();

}  // namespace heddle
