// Numbers that a program does not expect to know, the same in every execution: random numbers and
// the numbers of processes and threads.
//
// Each thread has a generator of its own, which a created thread gets from its parent, so that what
// a thread draws depends on its own past alone and drawing is no step. The main thread's rand and
// random are libc's own: a seed gives the numbers it always gave. Other threads are not part of
// that sequence, as they would be without us.
//
// The process says it has a number that no process can have (they end at 2^22), so that a signal
// meant for ourselves cannot reach anybody else.
#include "base/random.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/process_state.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(rand)
HEDDLE_REAL(srand)
HEDDLE_REAL(random)
HEDDLE_REAL(srandom)
HEDDLE_REAL(drand48)
HEDDLE_REAL(lrand48)
HEDDLE_REAL(mrand48)
HEDDLE_REAL(srand48)
HEDDLE_REAL(getrandom)
HEDDLE_REAL(getentropy)
HEDDLE_REAL(arc4random)
HEDDLE_REAL(arc4random_buf)
HEDDLE_REAL(arc4random_uniform)
}  // namespace heddle::real

namespace heddle {
namespace {

// Before main there is one thread, and no execution to come back to.
uint64_t draw() {
  static constinit uint64_t before_main = 1;
  uint64_t& state = g_switches.on_fiber ? current_thread().random : before_main;
  Random generator(state);
  const uint64_t number = generator.next();
  state = number;
  return number;
}

void fill(void* buffer, size_t bytes, Address pc) {
  if (explored()) access_range(Op::Write, buffer, bytes, pc);
  auto* to = static_cast<unsigned char*>(buffer);
  while (bytes > 0) {
    const uint64_t number = draw();
    const size_t part = bytes < sizeof number ? bytes : sizeof number;
    memcpy(to, &number, part);
    to += part;
    bytes -= part;
  }
}

// libc keeps the state of these numbers where nobody sees it change.
bool of_main() {
  if (!explored()) return true;
  if (current_thread().id != kMainThread) return false;
  g_runtime.executor.changed();
  return true;
}

void seed(uint64_t number) {
  if (explored()) current_thread().random = number;
}

constexpr uint64_t kPositive = 0x7fffffff;

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int rand() {
  return of_main() ? real::rand()() : static_cast<int>(draw() & kPositive);
}
HEDDLE_EXPORT void srand(unsigned number) {
  seed(number);
  if (of_main()) real::srand()(number);
}
HEDDLE_EXPORT long random() {
  return of_main() ? real::random()() : static_cast<long>(draw() & kPositive);
}
HEDDLE_EXPORT void srandom(unsigned number) {
  seed(number);
  if (of_main()) real::srandom()(number);
}
HEDDLE_EXPORT double drand48() {
  return of_main() ? real::drand48()() : static_cast<double>(draw() >> 16) / (1ull << 48);
}
HEDDLE_EXPORT long lrand48() {
  return of_main() ? real::lrand48()() : static_cast<long>(draw() & kPositive);
}
HEDDLE_EXPORT long mrand48() {
  return of_main() ? real::mrand48()() : static_cast<int32_t>(draw());
}
HEDDLE_EXPORT void srand48(long number) {
  seed(static_cast<uint64_t>(number));
  if (of_main()) real::srand48()(number);
}

HEDDLE_EXPORT ssize_t getrandom(void* buffer, size_t bytes, unsigned flags) {
  if (!controlled()) return real::getrandom()(buffer, bytes, flags);
  fill(buffer, bytes, HEDDLE_CALLER);
  return static_cast<ssize_t>(bytes);
}
HEDDLE_EXPORT int getentropy(void* buffer, size_t bytes) {
  if (!controlled() || bytes > 256) return real::getentropy()(buffer, bytes);
  fill(buffer, bytes, HEDDLE_CALLER);
  return 0;
}
HEDDLE_EXPORT uint32_t arc4random() {
  return controlled() ? static_cast<uint32_t>(draw()) : real::arc4random()();
}
HEDDLE_EXPORT void arc4random_buf(void* buffer, size_t bytes) {
  if (!controlled()) return real::arc4random_buf()(buffer, bytes);
  fill(buffer, bytes, HEDDLE_CALLER);
}
HEDDLE_EXPORT uint32_t arc4random_uniform(uint32_t bound) {
  if (!controlled()) return real::arc4random_uniform()(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>((draw() >> 32) * bound >> 32);
}

// std::random_device of libstdc++ and of libc++: the instruction or the file it would have asked.
// The linker gives them the names under which programs call them (src/runtime/CMakeLists.txt),
// since our own libstdc++ has a function of that name.
HEDDLE_EXPORT unsigned heddle_random_device(void* self) {
  if (controlled()) return static_cast<unsigned>(draw());
  return reinterpret_cast<unsigned (*)(void*)>(real::resolve("_ZNSt13random_device9_M_getvalEv"))(
      self);
}
HEDDLE_EXPORT unsigned heddle_random_device_of_libcxx(void* self) {
  if (controlled()) return static_cast<unsigned>(draw());
  return reinterpret_cast<unsigned (*)(void*)>(real::resolve("_ZNSt3__113random_deviceclEv"))(self);
}

HEDDLE_EXPORT pid_t getpid() {
  if (!controlled()) return static_cast<pid_t>(raw::call(SYS_getpid));
  return kProcessNumber;
}

HEDDLE_EXPORT pid_t gettid() {
  if (!g_switches.on_fiber)
    return controlled() ? kProcessNumber : static_cast<pid_t>(raw::call(SYS_gettid));
  return number_of(current_thread().id);
}

HEDDLE_ALSO_LOCAL(getrandom)
