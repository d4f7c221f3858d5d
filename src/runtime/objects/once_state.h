// States of things that are done once.
//
// A pthread_once_t: PTHREAD_ONCE_INIT is 0 and glibc's own mark for "done" is 2, so that
// whatever ran before we took over is recognised.
#pragma once

namespace heddle {

inline constexpr int kOnceRunning = 1;
inline constexpr int kOnceDone = 2;

// The guard of a function-local static (Itanium C++ ABI: the first byte is set when it is done;
// the bit for "under way" is the one that libstdc++ uses).
inline constexpr int kGuardDone = 1;
inline constexpr int kGuardRunning = 0x100;

}  // namespace heddle
