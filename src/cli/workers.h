// A search on several cores: when it has gone on for a while in one process, what is left of it is
// divided among processes of their own (explore/divisible.h).
//
// A process takes a share of the items and ends with what came of it: counters, and items that are
// left. That is taken as a whole or not at all, so a process that is killed costs only its share of
// the work, which is done again. A process that has nothing to do has the one that is at it for
// longest divide its share.
//
// What the program does unexpectedly is not for several: with a finding, a loop that is not known
// yet, a death that comes again or anything else, the search is made once more in one process,
// which alone reports. So what is reported does not depend on the number of processes.
//
// With a session, shares are divided after a while in any case, and what came of each is written to
// the session's file before the next is taken; a search that such a file tells of goes on.
#pragma once

#include <cstdint>
#include <string>

#include "cli/channel_file.h"
#include "cli/launch.h"
#include "cli/result.h"
#include "cli/session.h"
#include "cli/supervisor.h"

namespace heddle {

// Whether the search that the options name can be divided at all.
bool can_be_divided(const RunOptions& options, bool judges_races);

// The names of the strategies whose searches can.
std::string divisible_strategies();

// To be called while the first process searches: asks it to divide the rest when it is time.
void ask_to_divide(ChannelHeader& header, uint32_t processes, double seconds);

enum class SharedEnd : uint8_t {
  Done,        // the channel and the supervision tell of the whole search
  OneProcess,  // nothing is to be concluded: the search is to be made in one process
};

// After the first process has divided the search whose channel this is, or somebody else the one
// that the session tells of. There may be no session.
Result<SharedEnd> share_search(const Target& target, ChannelFile& channel, uint32_t processes,
                               const SupervisorOptions& options, Session* session,
                               Supervision& supervision);

}  // namespace heddle
