// How much memory a search takes: what it keeps in the channel, and what the processes that run the
// program have to themselves.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle {

// In bytes. `process` and all that it has started are looked at. Pages that several of them share
// count once where they would make the difference: telling takes longer, and is done only if the
// sum is above `enough`.
uint64_t memory_use(int channel_fd, pid_t process, uint64_t enough);

}  // namespace heddle
