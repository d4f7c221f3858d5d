// The tested process leads a process group of its own, so that a signal to ours reaches us alone.
// A program that reads from the terminal is stopped by that; then it gets the terminal for as long
// as it runs. Ctrl-Z stops both, whoever has it.
#pragma once

#include <sys/types.h>

#include "cli/file_descriptor.h"

namespace heddle {

class Foreground {
 public:
  explicit Foreground(pid_t child) : child_(child) {}
  ~Foreground() { take_back(); }
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

  // Looks whether somebody has been stopped, and by what.
  void look();
  // The program wants to read from a terminal that is not ours to lend.
  bool is_hopeless() const { return refusals_ >= kMostRefusals; }
  bool is_lent() const { return terminal_.get() >= 0; }

 private:
  void lend();
  void take_back();
  void stop_together(int signal);

  static constexpr int kMostRefusals = 3;
  pid_t child_;
  int refusals_ = 0;
  FileDescriptor terminal_;  // open while the child has it
};

}  // namespace heddle
