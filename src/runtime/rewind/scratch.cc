#include "runtime/rewind/scratch.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mount.h>

#include <cstring>

#include "channel/scratch.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/raw.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle {
namespace {

constexpr int kDeepest = 64;

struct Entry {  // as getdents64 writes it
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];
};

bool is_dots(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

long open_directory(long parent, const char* name) {
  return raw::call(SYS_openat, static_cast<uint64_t>(parent), raw::bits(name),
                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Calls `visit` with each name until it returns false.
template <typename Visit>
void for_each_entry(long directory, Visit visit) {
  alignas(Entry) char buffer[4096];
  for (;;) {
    const long bytes = raw::call(SYS_getdents64, static_cast<uint64_t>(directory),
                                 raw::bits(buffer), sizeof buffer);
    if (bytes <= 0) return;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      if (!is_dots(entry->name) && !visit(entry->name)) return;
      at += entry->length;
    }
  }
}

bool is_empty(long parent, const char* name) {
  const long directory = open_directory(parent, name);
  if (directory < 0) return true;
  bool empty = true;
  for_each_entry(directory, [&](const char*) { return empty = false; });
  raw::call(SYS_close, static_cast<uint64_t>(directory));
  return empty;
}

void remove_tree(long parent, const char* name, int depth = 0) {
  if (raw::call(SYS_unlinkat, static_cast<uint64_t>(parent), raw::bits(name), 0) == 0) return;
  const long directory = depth < kDeepest ? open_directory(parent, name) : -1;
  if (directory >= 0) {
    for_each_entry(directory, [&](const char* inner) {
      remove_tree(directory, inner, depth + 1);
      return true;
    });
    raw::call(SYS_close, static_cast<uint64_t>(directory));
  }
  raw::call(SYS_unlinkat, static_cast<uint64_t>(parent), raw::bits(name), AT_REMOVEDIR);
}

// Rights that a user namespace gave us, for as long as one of these lives; the program must not
// have them.
class MountRights {
 public:
  explicit MountRights(bool wanted) : wanted_(wanted) { set(~0u); }
  ~MountRights() { set(0); }
  MountRights(const MountRights&) = delete;
  MountRights& operator=(const MountRights&) = delete;

 private:
  void set(uint32_t effective) {
    if (!wanted_) return;
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    raw::call(SYS_capget, raw::bits(&header), raw::bits(sets));
    sets[0].effective = sets[0].permitted & effective;
    raw::call(SYS_capset, raw::bits(&header), raw::bits(sets));
  }
  bool wanted_;
};

bool is_untouched(const ChannelScratch& scratch) {
  for (uint32_t i = 0; i < scratch.count; ++i)
    if (!is_empty(scratch.layers, scratch_layer(scratch.generation, i).upper)) return false;
  return true;
}

}  // namespace

void renew_scratch(ChannelScratch& scratch) {
  if (scratch.count == 0) return;
  // The first layer keeps what constructors wrote and is never written again.
  const MountRights rights(scratch.in_user_namespace != 0);
  if (scratch.generation > 0 && is_untouched(scratch)) return;
  for (uint32_t i = scratch.count; i-- > 0;) {
    raw::call(SYS_umount2, raw::bits(scratch.directories[i].path), MNT_DETACH);
    if (scratch.generation == 0) continue;
    const ScratchLayer layer = scratch_layer(scratch.generation, i);
    remove_tree(scratch.layers, layer.upper);
    remove_tree(scratch.layers, layer.work);
  }
  ++scratch.generation;
  if (mount_scratch(scratch) != 0)
    cannot_run("the directories of --scratch cannot be put back to what they were");
  kernel_state().enter_directory(scratch.working_directory);
}

}  // namespace heddle
