// How many random programs a test tries: all of them where HEDDLE_TESTS=all says so (.ci/run), else
// a quarter, which is what somebody waits for after each change; many more with HEDDLE_TESTS=night
// (tests/nightly), and fewer still where a sanitiser makes each of them slow. Seeds count from 1,
// so the few are the first of the many.
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
  constexpr size_t kNight = 9;
  if (kSanitised) return programs / 20;
  const char* tests = std::getenv("HEDDLE_TESTS");
  const std::string_view which = tests == nullptr ? "" : tests;
  if (which == "night") return programs * kNight;
  return which == "all" ? programs : std::max<size_t>(programs / 4, 1);
}

}  // namespace heddle::toy
