#include "runtime/guest/end_search.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "runtime/guest/raw.h"
#include "runtime/guest/switches.h"

namespace heddle {
namespace {

ChannelHeader* g_header = nullptr;

[[noreturn]] void end_search(RunState state, const char* message, Address pc) {
  RuntimeScope scope;
  ChannelHeader& header = *g_header;
  snprintf(header.message, sizeof header.message, "%s", message);
  header.message_pc = value(pc);
  header.state.store(state);
  raw::exit_group(0);
}

bool is_library(const char* path) {
  return path != nullptr && strstr(path, ".so") != nullptr;
}

}  // namespace

void tell_through(ChannelHeader* header) {
  g_header = header;
}

void unsupported(const char* function, Address pc) {
  end_search(RunState::Unsupported, function, pc);
}

void computes_for_long(ThreadId thread, Address pc) {
  char name[32];
  snprintf(name, sizeof name, "thread %u", index(thread));
  end_search(RunState::Computes, name, pc);
}

void cannot_see(ThreadId waiting, Address pc) {
  RuntimeScope scope;
  char name[256];
  Dl_info module{};
  const bool in_library =
      dladdr(reinterpret_cast<void*>(value(pc)), &module) != 0 && is_library(module.dli_fname);
  const char* slash = in_library ? strrchr(module.dli_fname, '/') : nullptr;
  snprintf(name, sizeof name, in_library ? "thread %u, in %s," : "thread %u", index(waiting),
           slash != nullptr ? slash + 1 : "a library");
  end_search(RunState::Unseen, name, pc);
}

void cannot_run(Limitation limitation) {
  g_header->limitation = limitation;
  cannot_run(limitation_info(limitation).sentence);
}

void cannot_run(const char* sentence) {
  end_search(RunState::Error, sentence, kNoAddress);
}

}  // namespace heddle
