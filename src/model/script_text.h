// A script of the user's, as the command line has read it.
#pragma once

#include <string>

namespace heddle {

struct ScriptText {
  std::string name;  // as users know it: the file
  std::string text;
};

}  // namespace heddle
