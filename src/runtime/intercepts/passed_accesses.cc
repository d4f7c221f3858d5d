// What functions that are passed on (stubs.cc) read and write of the program's memory: told like
// accesses of code compiled for us, by the table HEDDLE_PASSED_ACCESSES.
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>

#include "model/library_functions.h"
#include "runtime/checkers/stream_uses.h"
#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/formats.h"
#include "runtime/intercepts/stubs.h"

namespace heddle {
namespace {

struct Telling {
  const PassedArguments& arguments;
  Address pc;

  void access(Op op, unsigned argument, size_t bytes) const {
    if (const uint64_t at = arguments[argument]; at != 0)
      access_range(op, reinterpret_cast<const void*>(at), bytes, pc);
  }
  void string(Op op, unsigned argument) const {
    if (const auto* text = reinterpret_cast<const char*>(arguments[argument]))
      access_range(op, text, length(text) + 1, pc);
  }
  size_t size_at(unsigned argument) const {
    const auto* size = reinterpret_cast<const socklen_t*>(arguments[argument]);
    return size == nullptr ? 0 : *size;
  }
};

}  // namespace

#define R(argument, bytes) tell.access(Op::Read, argument, bytes)
#define W(argument, bytes) tell.access(Op::Write, argument, bytes)
#define RS(argument) tell.string(Op::Read, argument)
#define RW_STRING(argument) tell.string(Op::Read, argument), tell.string(Op::Write, argument)
#define NUMBER(argument) tell.arguments[argument]
#define CLOSES_STREAM(argument) \
  note_stream(reinterpret_cast<const void*>(arguments[argument]), AccessKind::Write, pc)
#define STATE(name) note_library_state(LibraryState::name, pc)
#define SIZE_AT(argument) tell.size_at(argument)

void tell_of_passed(Passed function, const PassedArguments& arguments, Address pc) {
  if (g_switches.accesses == 0) return;
  const Telling tell{arguments, pc};
  switch (function) {
#define X(name, accesses) \
  case Passed::name##_:   \
    accesses;             \
    break;
    HEDDLE_PASSED_ACCESSES(X)  // NOLINT(bugprone-branch-clone): rows that are alike
#undef X
    default:
      break;
  }
}

}  // namespace heddle
