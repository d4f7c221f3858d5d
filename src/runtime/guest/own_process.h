// Processes that the program forks without the C library (inline assembly) come back to us with a
// copy of everything, and would search as well. A page that the kernel wipes in forked processes
// tells them apart from ours.
#pragma once

namespace heddle {

void prepare_own_process();
// After a fork of our own.
void mark_own_process();
bool is_own_process();

}  // namespace heddle
