// Whether a trace was written here. `heddle replay` starts the program that a trace names, with the
// arguments that it names; a trace from elsewhere could name anything. So heddle check seals what
// is to be run with a key that only this user of this machine has.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace.h"

namespace heddle {

inline constexpr std::string_view kSealSetting = "seal=";

// Adds the seal to the settings of the trace; nothing where no key can be kept.
void seal(Trace& trace);
// Whether program, arguments and settings are those that were sealed with this user's key.
bool is_sealed(const Trace& trace);

// A keyed hash (SipHash-2-4, Aumasson and Bernstein, 2012): who does not have the key cannot make
// it.
struct HashKey {
  uint64_t low = 0;
  uint64_t high = 0;
};
uint64_t keyed_hash(const HashKey& key, std::string_view text);

}  // namespace heddle
