// Which check last found a bug, for `heddle last`.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace heddle {

struct LastCheck {
  std::string folder;
  std::vector<std::string> words;
};

// Where nothing can be written, nothing is remembered.
void remember_check(Words words);
Result<LastCheck> last_check();

}  // namespace heddle
