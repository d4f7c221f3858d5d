// The live line on a terminal: executions, speed, bound, depth, findings, time.
#pragma once

#include <string>

#include "channel/channel.h"

namespace heddle {

std::string progress_text(const Progress& progress, double per_second, double elapsed);

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}

  void show(const ChannelHeader& header, double elapsed);
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
  double last_ = 0;          // when the line was last written
  uint64_t executions_ = 0;  // at that time
};

}  // namespace heddle
