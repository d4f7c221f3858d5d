// A deadlock in words: who holds what, who waits for it, and where.
#pragma once

#include <string>

#include "report/narrator.h"
#include "report/text_style.h"

namespace heddle {

std::string waiting_report(Narrator& narrator, const TextStyle& style);

}  // namespace heddle
