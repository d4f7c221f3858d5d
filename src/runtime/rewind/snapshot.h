// The state that every execution starts from.
#pragma once

#include <cstdint>
#include <functional>

#include "runtime/rewind/heap.h"
#include "runtime/rewind/page_tracker.h"

namespace heddle {

// Puts every writable byte of the program (executable, libraries, thread-local storage, heap)
// under the page tracker's care. Nothing of the program has run but its global constructors.
// `thread_pointer` is the main thread's.
void take_snapshot(Heap& heap, PageTracker& pages, uint64_t thread_pointer);

// Calls visit(begin, end) for each mapping that holds variables of the program or its libraries.
void for_each_program_mapping(const std::function<void(uint64_t, uint64_t)>& visit);

}  // namespace heddle
