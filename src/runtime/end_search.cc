#include "runtime/end_search.h"

#include <cstdio>

#include "runtime/raw.h"
#include "runtime/switches.h"

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

}  // namespace

void tell_through(ChannelHeader* header) {
  g_header = header;
}

void unsupported(const char* function, Address pc) {
  end_search(RunState::Unsupported, function, pc);
}

void cannot_run(Limitation limitation) {
  g_header->limitation = limitation;
  cannot_run(limitation_info(limitation).sentence);
}

void cannot_run(const char* sentence) {
  end_search(RunState::Error, sentence, kNoAddress);
}

}  // namespace heddle
