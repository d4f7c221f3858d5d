// Threads of the kernel that the program has started without our pthread_create: by clone in
// assembly, or by a pthread_create that it found in libc by itself. They run whenever they like,
// so nothing that is said about the program would be true.
#pragma once

namespace heddle {

bool has_foreign_threads();
// Ends the search if there are any. What fails while there are is their doing.
void refuse_foreign_threads();

}  // namespace heddle
