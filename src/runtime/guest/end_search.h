// The search cannot go on; the command line is told why.
#pragma once

#include "base/ids.h"
#include "channel/channel.h"

namespace heddle {

// Who is told; once, before anything else here is called.
void tell_through(ChannelHeader* header);

// The program uses something we do not control; ends the search.
[[noreturn]] void unsupported(const char* function, Address pc);
// The thread waits for something that only others than this process can bring, or that nobody told
// us of; ends the search without a verdict.
[[noreturn]] void computes_for_long(ThreadId thread, Address pc);
[[noreturn]] void cannot_see(ThreadId waiting, Address pc);
// Something in the environment or the program's shape prevents the run; ends the search.
[[noreturn]] void cannot_run(const char* sentence);
[[noreturn]] void cannot_run(Limitation limitation);

}  // namespace heddle
