// The program's standard output and error: thrown away while searching, kept for the execution
// that is reported.
#pragma once

#include <string>

namespace heddle {

// Descriptors from here on are ours, not the program's.
inline constexpr int kFirstPrivateDescriptor = 910;
inline constexpr int kEndOfPrivateDescriptors = 1010;

// Keeps a copy of our own standard error and points 1 and 2 to /dev/null.
void silence_output();
int saved_error_output();  // that copy; negative if there is none

// Between the two calls what the program writes to 1 and 2 is kept; returns it.
void begin_capture();
std::string end_capture();
// Puts the capture under way back, if there is one, after 1 and 2 were given to others.
void renew_output();

// Writes out what the program left in stdio buffers, unless a thread holds one's lock.
void flush_program_output();

}  // namespace heddle
