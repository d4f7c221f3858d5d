// Threads that are blocked for good when the program ends.
#pragma once

namespace heddle {

// Ends the execution if there are some. On the thread that ends the program, after its exit
// handlers.
void look_for_blocked_threads();

}  // namespace heddle
