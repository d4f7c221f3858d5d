// One search in this process: from taking control to the last word in the mailbox.
#pragma once

#include "runtime/core/native_executor.h"

namespace heddle {

// Looks for the command line's channel in the environment and takes control if there is one.
// Constructors of libraries run before we are in control; a thread that one of them starts is
// noticed then, and refused by attach_to_channel.
void note_early_thread(Address pc);

bool attach_to_channel(char** environment);
void remember_main(NativeExecutor::Main main);

// Takes main's place.
int run_session(int argc, char** argv, char** envp);

}  // namespace heddle
