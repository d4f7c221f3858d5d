// The steps of an execution: one column per thread, one row per step, the place at the end.
#pragma once

#include <string>

#include "report/narrator.h"
#include "report/text_style.h"

namespace heddle {

std::string step_table(Narrator& narrator, const TextStyle& style);

}  // namespace heddle
