// What a translation is asked for, and how it may end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::frontend {

struct Options {
  std::vector<std::string> sources;
  std::vector<std::string> flags;      // of the compiler
  std::string include;                 // where heddle/heddle.h lies, if anywhere
  std::vector<std::string> arguments;  // of the program; its name is not among them
  uint32_t max_threads = 16;           // main included
  uint32_t recursion = 8;              // calls of a function within itself
  uint32_t allocations = 8;            // objects of one place, in one thread
  bool overflow = false;               // signed overflow and shifts too far are bugs
  bool reach_error_counts = false;     // each call of it, whatever the program's own does
  bool abort_ends = false;             // abort() ends the program and is no bug
};

enum class Answer : uint8_t {
  Graph,
  CannotCompile,  // the user's mistake: see sentence
  CannotModel,    // nothing wrong, but the graph cannot say it: see sentence
};

}  // namespace heddle::frontend
