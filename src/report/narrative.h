// An execution as a story in sentences: who did what until whom, and what a bug of this kind
// usually calls for.
#pragma once

#include <string>

#include "report/narrator.h"
#include "report/text_style.h"

namespace heddle {

std::string narrative(Narrator& narrator, const TextStyle& style);
std::string advice(const Trace& trace);  // "" if there is none for this kind

}  // namespace heddle
