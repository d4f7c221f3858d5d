// How many random programs a test tries: fewer where a sanitiser makes each of them slow.
#pragma once

#include <cstddef>

namespace heddle::toy {

constexpr size_t sample_size(size_t programs) {
#ifdef __SANITIZE_ADDRESS__
  return programs / 20;
#else
  return programs;
#endif
}

}  // namespace heddle::toy
