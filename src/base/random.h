// A small, fast, seedable generator (splitmix64, Steele et al. 2014): every random run of Heddle
// replays from its seed, on every platform, so the standard library's distributions are not used.
#pragma once

#include <cstdint>

namespace heddle {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, n); n must not be 0. The bias of the multiply-shift is below 2^-32 for the
  // small n used here.
  uint64_t below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace heddle
