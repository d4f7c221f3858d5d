// From addresses to names, through symbol tables and debug information (libdw).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "trace/trace.h"

namespace heddle {

// One function on the stack; a single code address gives several when functions were inlined.
struct SourceFrame {
  std::string function;  // demangled; empty if unknown
  std::string file;      // absolute where the debug information allows it; empty if unknown
  int line = 0;
  int column = 0;
  std::string module;      // the file that it is in, without its folder
  bool inlined = false;    // into the frame that follows
  bool of_system = false;  // in a system library or header, or in Heddle itself

  bool has_source() const { return !file.empty() && line > 0; }
};

// Part of a function's frame.
struct LocalPlace {
  std::string function;  // "" if unknown
  std::string variable;  // "x", "slots[2]"; "" if unknown
};

// Those of the same modules share what they have read: each of many findings has one.
class Symbolizer {
 public:
  explicit Symbolizer(const std::vector<Module>& modules);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The instruction at `pc`, innermost function first. Empty if no module is there.
  const std::vector<SourceFrame>& frames_at(Address pc);
  // The call that returns to `pc`.
  const std::vector<SourceFrame>& frames_before(Address pc);

  std::string function_at(Address entry);  // "" if unknown
  std::string variable_at(Address data);   // "forks[2]", "queue.lock", "buffer+80"; "" if unknown
  // What lies `distance` bytes behind where the pointer at `pointer` points to: "current->users",
  // "table[3]", "*counter"; "" if the pointer is no variable of the program's own.
  std::string pointed_at(Address pointer, uint64_t distance);
  LocalPlace local_at(Address data, const TraceFrame& frame);
  Address address_of(const std::string& variable);  // the reverse; kNoAddress if there is none

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

std::string demangled(const char* symbol);

}  // namespace heddle
