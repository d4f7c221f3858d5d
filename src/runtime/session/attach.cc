// Taking control: finds the channel in the environment and sets up all that must work before the
// program's global constructors run.
#include <fcntl.h>

#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/deferred_constructors.h"
#include "runtime/guest/arena.h"
#include "runtime/guest/raw.h"
#include "runtime/objects/labels.h"
#include "runtime/rewind/exit_handlers.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/thread_exit.h"
#include "runtime/session/session.h"

namespace heddle {
namespace {

const char* find_variable(char** environment, const char* name) {
  size_t length = strlen(name);
  for (; *environment != nullptr; ++environment)
    if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
      return *environment + length + 1;
  return nullptr;
}

constinit Address g_early_thread = kNoAddress;

// The channel is named by its descriptor, or by a path where descriptors do not survive (gdb).
int open_channel(const char* name) {
  if (name[0] != '/') return atoi(name);
  return static_cast<int>(
      raw::call(SYS_openat, static_cast<uint64_t>(AT_FDCWD), raw::bits(name), O_RDWR | O_CLOEXEC));
}

bool map_channel(int descriptor) {
  long at = raw::call(SYS_mmap, 0, kArenaOffset, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      static_cast<uint64_t>(descriptor), 0);
  if (at < 0 && at > -4096) return false;
  g_runtime.header = reinterpret_cast<ChannelHeader*>(at);
  tell_through(g_runtime.header);
  g_runtime.mailbox = reinterpret_cast<char*>(at) + kHeaderBytes;
  const ChannelHeader& header = *g_runtime.header;
  return header.magic == kChannelMagic && header.version == kChannelVersion &&
         header.header_size == sizeof(ChannelHeader) && map_arena(descriptor);
}

}  // namespace

void note_early_thread(Address pc) {
  if (g_early_thread == kNoAddress) g_early_thread = pc;
}

bool attach_to_channel(char** environment) {
  const char* name = find_variable(environment, kChannelEnv);
  if (name == nullptr) return false;
  int descriptor = open_channel(name);
  HEDDLE_CHECK(descriptor >= 0 && map_channel(descriptor));
  raw::call(SYS_close, static_cast<uint64_t>(descriptor));
  g_runtime.pages.initialise();
  g_runtime.heap.initialise(g_runtime.header->options.memory_errors);
  g_runtime.thread_pointers.initialise();
  kernel_state().initialise();
  labels().initialise();
  exit_handlers().initialise();
  quick_exit_handlers().initialise();
  thread_exit_handlers().initialise();
  g_switches.controlled = true;
  if (g_runtime.header->defers_constructors != 0) {
    g_switches.instrumented = g_runtime.header->instrumented != 0;
    defer_constructors();
  }
  if (g_early_thread != kNoAddress)
    unsupported("pthread_create in a global constructor", g_early_thread);
  return true;
}

}  // namespace heddle
