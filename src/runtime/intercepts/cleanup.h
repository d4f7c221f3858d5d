// The end of a thread that leaves from the middle of its stack.
#pragma once

namespace heddle {

// Runs what pthread_cleanup_push registered in C code, innermost first, then unwinds.
[[noreturn]] void exit_thread(void* result);

// Unwinds the stack (C++ destructors, cleanup handlers of C++ code) and ends the thread.
[[noreturn]] void unwind_and_end(void* result);

}  // namespace heddle
