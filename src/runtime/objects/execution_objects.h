// What the objects of the program have no room for, for one execution.
#pragma once

#include "runtime/objects/lonely_signals.h"
#include "runtime/objects/named_semaphores.h"
#include "runtime/objects/read_holds.h"
#include "runtime/objects/virtual_clock.h"

namespace heddle {

class ExecutionObjects {
 public:
  VirtualClock& clock() { return clock_; }
  ReadHolds& read_holds() { return read_holds_; }
  NamedSemaphores& named_semaphores() { return named_semaphores_; }

 protected:
  void initialise_objects() {
    clock_.initialise();
    lonely_signals_.initialise();
    read_holds_.initialise();
    named_semaphores_.initialise();
  }
  void reset_objects() {
    clock_.reset();
    lonely_signals_.reset();
    read_holds_.reset();
    named_semaphores_.reset();
  }

  VirtualClock clock_;
  LonelySignals lonely_signals_;
  ReadHolds read_holds_;
  NamedSemaphores named_semaphores_;
};

}  // namespace heddle
