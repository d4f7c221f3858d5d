// How many random programs a test tries: all of them where HEDDLE_TESTS=all says so (.ci/run), else
// a quarter, which is what somebody waits for after each change; fewer still where a sanitiser
// makes each of them slow. Seeds count from 1, so the few are the first of the many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace heddle::toy {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kSanitised = true;
#else
inline constexpr bool kSanitised = false;
#endif

inline size_t sample_size(size_t programs) {
  if (kSanitised) return programs / 20;
  const char* tests = std::getenv("HEDDLE_TESTS");
  const bool all = tests != nullptr && std::string_view(tests) == "all";
  return all ? programs : std::max<size_t>(programs / 4, 1);
}

}  // namespace heddle::toy
