// What `heddle cc --prune-local` asks this program for: bitcode of the sources, with the accesses
// marked that no other thread can notice.
#pragma once

#include <span>
#include <string>

namespace heddle::prove {

// heddle-prove --prune-to=FILE SOURCES [compiler flags]
bool asks_for_pruning(std::span<const std::string> words);
// The exit status.
int prune(std::span<const std::string> words);

}  // namespace heddle::prove
