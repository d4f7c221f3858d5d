// What has to happen before a signal is sent, and before somebody asks which wait.
#pragma once

#include "base/ids.h"

namespace heddle {

// The thread sends itself one.
void before_raise(int signal, Address pc);
// It asks what waits for it and for the process.
void before_pending(Address pc);
// A descriptor is going to show these.
void before_signalfd(const void* signals, Address pc);

}  // namespace heddle
