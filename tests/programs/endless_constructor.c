// Constructors that come to no end keep nobody waiting.
//
// RUN: --strategy=icb --watchdog=1
// EXPECT: unsupported constructors
// RUN: --strategy=icb --time=1
// FLAGS: -DSLEEPS
// EXPECT: unknown
#include <unistd.h>

__attribute__((constructor)) static void forever(void) {
#ifdef SLEEPS
  for (;;) pause();
#else
  for (volatile int i = 0;; ++i) continue;
#endif
}

int main(void) {
  return 0;
}
