// What the output goes to: how wide, and whether with colours.
#pragma once

#include "report/text_style.h"

namespace heddle {

TextStyle style_of_stdout();
bool stderr_is_terminal();

}  // namespace heddle
