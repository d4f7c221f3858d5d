// What two processes of a divided search tell each other, as bytes: the names of the threads, which
// give the items their meaning, and a share of the items or what came of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "explore/divisible.h"

namespace heddle {

struct ThreadName {
  ThreadId id = kNoThread, parent = kNoThread;
  uint32_t birth = 0;
  friend bool operator==(const ThreadName&, const ThreadName&) = default;
};

struct DivisionMessage {
  std::vector<ThreadName> names;  // of all threads seen, but the first
  Division division;              // a share has items only
};

std::string to_bytes(const DivisionMessage& message);
// False if it is damaged.
bool from_bytes(std::string_view bytes, DivisionMessage& message);

}  // namespace heddle
