// The scripts of the search, as the command line has read them: a part of the channel's file.
#pragma once

#include <cstdint>

namespace heddle {

struct ChannelScript {
  uint32_t present;
  uint32_t name_bytes;
  uint32_t text_bytes;
  char name[4096];
  char text[512 << 10];
};

struct ChannelScripts {
  ChannelScript strategy;
  ChannelScript filter;
};

}  // namespace heddle
