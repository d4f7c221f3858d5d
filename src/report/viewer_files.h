// The files of viewer/, as CMake put them into the program.
#pragma once

#include <string_view>

namespace heddle {

extern const std::string_view kViewerPage;
extern const std::string_view kViewerStyle;
extern const std::string_view kViewerScript;

}  // namespace heddle
