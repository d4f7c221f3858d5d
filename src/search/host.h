// Whom a search works for: who asks it to stop, sees that it is alive, and takes what it finds.
#pragma once

#include <cstdint>

#include "explore/explorer.h"

namespace heddle {

class Host {
 public:
  virtual ~Host() = default;

  // The user or a limit of time: whatever is under way is to end soon.
  virtual bool is_interrupted() = 0;
  // Signs of life.
  virtual void steps_taken(uint64_t count) = 0;
  // Something is begun that will not be tried again should the process die of it.
  virtual void reach_milestone() = 0;
};

}  // namespace heddle
