// The supervisor's end of the channel: creates the shared memory file and maps header and mailbox.
#pragma once

#include <string_view>

#include "channel/channel.h"
#include "cli/file_descriptor.h"
#include "cli/result.h"

namespace heddle {

class ChannelFile {
 public:
  // `replay` is put at the beginning of the mailbox (Mode::Replay); empty otherwise.
  static Result<ChannelFile> create(const RunOptions& options, std::string_view replay);

  ChannelFile(ChannelFile&& other) noexcept;
  ~ChannelFile();

  int fd() const { return fd_.get(); }  // inherited by the tested process
  ChannelHeader& header() { return *static_cast<ChannelHeader*>(memory_); }
  const ChannelHeader& header() const { return *static_cast<const ChannelHeader*>(memory_); }
  const CoverageLog& coverage() const;
  std::string_view records() const;  // what the runtime wrote

 private:
  ChannelFile(FileDescriptor fd, void* memory) : fd_(std::move(fd)), memory_(memory) {}

  FileDescriptor fd_;
  void* memory_ = nullptr;
};

}  // namespace heddle
