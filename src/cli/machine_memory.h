// How much memory there is for this process: the machine's, or less where its control group (a
// container, a batch job, a systemd unit) may not have as much.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

// In bytes; 0 if nobody says. `root` is where the files of the kernel lie, "" but in tests.
uint64_t machine_memory(const std::string& root = "");

}  // namespace heddle
