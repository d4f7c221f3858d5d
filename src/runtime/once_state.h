// Values of a pthread_once_t. PTHREAD_ONCE_INIT is 0 and glibc's own mark for "done" is 2, so that
// whatever ran before we took over is recognised.
#pragma once

namespace heddle {

inline constexpr int kOnceRunning = 1;
inline constexpr int kOnceDone = 2;

}  // namespace heddle
