// A few lines of the program's source around a place, with a mark under the column.
#pragma once

#include <string>

#include "report/narrator.h"
#include "report/text_style.h"

namespace heddle {

std::string source_excerpt(const Place& place, const TextStyle& style);  // "" if unreadable

}  // namespace heddle
