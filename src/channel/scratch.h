// The overlays of --scratch: how both sides mount them. The command line puts the first ones in
// place before the program starts, the runtime mounts new ones for each execution.
//
// Layers are directories u<generation>-<number>, with a work directory w… beside each, in a file
// system in memory. What the program's constructors wrote, generation 0, lies below all later ones.
#pragma once

#include <sys/mount.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "base/raw_syscall.h"

namespace heddle {

inline constexpr uint32_t kMostScratch = 8;
inline constexpr int kScratchDescriptors = 960;  // and up: where the program's own do not come

struct ChannelScratch {
  struct Directory {
    int32_t below;  // descriptor of the directory as the user has it
    char path[1024];
  };
  uint32_t count;
  uint32_t in_user_namespace;
  int32_t layers;  // descriptor of the file system in memory
  uint64_t generation;
  Directory directories[kMostScratch];
  char working_directory[4096];
};

struct ScratchLayer {
  char upper[48];
  char work[48];
};

inline ScratchLayer scratch_layer(uint64_t generation, uint32_t number) {
  ScratchLayer layer;
  std::snprintf(layer.upper, sizeof layer.upper, "u%lu-%u", generation, number);
  std::snprintf(layer.work, sizeof layer.work, "w%lu-%u", generation, number);
  return layer;
}

// Mounts fresh layers of the current generation; 0 or the cause why not. With raw system calls,
// since the runtime must not touch libc.
inline int mount_scratch(const ChannelScratch& scratch) {
  constexpr uint64_t kMode = 0755;
  const auto layers = static_cast<uint64_t>(scratch.layers);
  for (uint32_t i = 0; i < scratch.count; ++i) {
    const ChannelScratch::Directory& directory = scratch.directories[i];
    const ScratchLayer layer = scratch_layer(scratch.generation, i);
    for (const char* name : {layer.upper, layer.work})
      if (long done = raw::call(SYS_mkdirat, layers, raw::bits(name), kMode); done < 0)
        return static_cast<int>(-done);
    char base[64] = "";
    if (scratch.generation > 0)
      std::snprintf(base, sizeof base, "/proc/self/fd/%d/u0-%u:", scratch.layers, i);
    char options[400];
    std::snprintf(options, sizeof options,
                  "lowerdir=%s/proc/self/fd/%d,upperdir=/proc/self/fd/%d/%s,"
                  "workdir=/proc/self/fd/%d/%s%s",
                  base, directory.below, scratch.layers, layer.upper, scratch.layers, layer.work,
                  scratch.in_user_namespace != 0 ? ",userxattr" : "");
    if (long done = raw::call(SYS_mount, raw::bits("heddle"), raw::bits(directory.path),
                              raw::bits("overlay"), 0, raw::bits(options));
        done < 0)
      return static_cast<int>(-done);
  }
  return 0;
}

}  // namespace heddle
