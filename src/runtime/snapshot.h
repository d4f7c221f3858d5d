// The state that every execution starts from.
#pragma once

namespace heddle {

// Puts every writable byte of the program (executable, libraries, thread-local storage, heap)
// under the page tracker's care. Nothing of the program has run but its global constructors.
void take_snapshot();

}  // namespace heddle
