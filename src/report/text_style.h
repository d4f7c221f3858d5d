#pragma once

#include <cstddef>

namespace heddle {

struct TextStyle {
  size_t width = 100;
  bool colour = false;
};

}  // namespace heddle
