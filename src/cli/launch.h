// Starts the tested program with the runtime inside.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cli/channel_file.h"
#include "cli/file_descriptor.h"
#include "cli/properties.h"
#include "cli/result.h"
#include "cli/scratch.h"

namespace heddle {

struct Target {
  std::string program;                 // absolute path
  std::vector<std::string> arguments;  // without the program's name
  std::string library;                 // absolute path of libheddle.so
  std::vector<Property> properties;    // evaluated in every state
  std::vector<std::string> scratch;    // directories to see private copies of
  std::string scratch_place;           // where their layers can be mounted
  std::string name;                    // what the program is called by: its first argument
};

struct Child {
  pid_t pid = -1;
  FileDescriptor pidfd;
};

// Address-space randomisation off for this process and all it starts, so that addresses are the
// same in every process that runs the program. False where the system forbids it.
bool switch_randomisation_off();

// `inherited` as the runtime needs it: our library first, symbols bound at once, no rseq (fibers
// have no kernel thread of their own), the channel's descriptor.
std::vector<std::string> target_environment(const char* const* inherited,
                                            const std::string& library, int channel_fd);

// Has the target see private copies of the directories named, with commas between; "": of none.
// What is returned must live as long as the program runs.
Result<ScratchPlace> prepare_scratch(const std::string& names, Target& target);

Result<Child> launch(const Target& target, ChannelFile& channel);

}  // namespace heddle
