// What went wrong in one sentence, with names in place of addresses and without the kind in front.
#pragma once

#include <string>

#include "report/narrator.h"

namespace heddle {

std::string plain_message(Narrator& narrator);

}  // namespace heddle
