// Memory that nothing refers to when the program ends.
#pragma once

namespace heddle {

// Ends the execution if there is some. On the thread that ends the program, after its exit
// handlers.
void look_for_leaks();

}  // namespace heddle
