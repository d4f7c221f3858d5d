// The private copies of directories that --scratch asks for, renewed for every execution
// (channel/scratch.h).
#pragma once

#include "channel/channel.h"

namespace heddle {

// Before an execution, when what the last one had open is closed: the directories are again as they
// were when main was about to start.
void renew_scratch(ChannelScratch& scratch);

}  // namespace heddle
