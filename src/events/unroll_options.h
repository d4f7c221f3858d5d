// How far threads are unrolled, and what is said where they cannot be.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::events {

struct UnrollOptions {
  uint32_t rounds = 1;          // of a loop, besides those that are sure to come
  uint32_t most_events = 3000;  // of all threads; more are refused
};

struct Refusal {
  std::string sentence;  // what has no encoding by events; without a period
};

}  // namespace heddle::events
