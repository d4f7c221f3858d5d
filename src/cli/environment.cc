#include "cli/environment.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "channel/channel.h"

namespace heddle {
namespace {

// The runtime reserves far more addresses than it uses memory: heaps and stacks of all threads, and
// the shadow of all memory, each at its place.
constexpr uint64_t kAddressSpace = 4ull << 40;

bool is_below(const rlimit& limit, uint64_t wanted) {
  return limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted;
}

}  // namespace

// The main thread's stack grows up to the limit that holds when it does.
std::string prepare_stack() {
  constexpr uint64_t kEnough = 1 << 20, kUsual = 8 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || !is_below(limit, kEnough)) return "";
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kUsual);
  if (is_below(limit, kEnough) || setrlimit(RLIMIT_STACK, &limit) != 0)
    return fmt::format(
        "the stack is limited to {} KB, and Heddle needs {}: raise the limit (ulimit -s {})",
        limit.rlim_max >> 10, kEnough >> 10, kUsual >> 10);
  return "";
}

std::string environment_complaint() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && is_below(limit, kAddressSpace))
    return fmt::format(
        "the address space is limited to {} MB, and Heddle reserves addresses (not memory) of {} "
        "TB: lift the limit (ulimit -v unlimited)",
        limit.rlim_cur >> 20, kAddressSpace >> 40);
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && is_below(limit, kChannelBytes))
    return fmt::format(
        "the size of files is limited to {} KB, and Heddle needs one of {} GB in memory, mostly "
        "empty: lift the limit (ulimit -f unlimited)",
        limit.rlim_cur >> 10, (kChannelBytes >> 30) + 1);
  if (access("/proc/self/exe", F_OK) != 0)
    return "/proc is not there, and Heddle needs it: mount it (mount -t proc proc /proc)";
  if (access("/dev/null", R_OK | W_OK) != 0)
    return "/dev/null is not there or cannot be used, and programs need it: mount or fill /dev (in "
           "a "
           "chroot: mount --bind /dev DIRECTORY/dev)";
  return "";
}

}  // namespace heddle
