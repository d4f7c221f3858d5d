// --scratch: directories of which the tested program sees a private copy, which each execution
// finds as the user left it. The copy is an overlay: what the program writes goes into a layer in
// memory, and dropping the layer is the way back (runtime/rewind/scratch.cc). Only the program's
// processes see it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "channel/channel.h"
#include "cli/result.h"
#include "cli/temporary_folder.h"

namespace heddle {

// What the option names, with commas between; complains about what cannot be covered.
Result<std::vector<std::string>> scratch_directories(std::string_view names);

// An empty directory for the layers to be mounted on; removed with the object.
class ScratchPlace {
 public:
  static Result<ScratchPlace> create();
  const std::string& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

// Puts overlays over the directories for this process and all it starts, and notes in the channel
// what the runtime needs to renew them. Returns 0 or the cause why not.
int enter_scratch(const std::vector<std::string>& directories, const std::string& place,
                  ChannelScratch& notes);

std::string scratch_complaint(const std::vector<std::string>& directories, int cause);

}  // namespace heddle
