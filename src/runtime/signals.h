// Crashes, aborts and the watchdog: signals that end an execution, and the page tracker's faults.
#pragma once

namespace heddle {

void install_signal_handlers();

}  // namespace heddle
