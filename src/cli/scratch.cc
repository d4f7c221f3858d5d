#include "cli/scratch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_below(const std::string& path, const std::string& directory) {
  return path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

// A file system mounted somewhere below, which an overlay would not show; "" if there is none.
std::string mount_below(const std::string& directory) {
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string number, parent, device, root, point;
    words >> number >> parent >> device >> root >> point;
    if (is_below(point, directory)) return point;
  }
  return "";
}

bool write_file(const char* file, const std::string& text) {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool written =
      write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int cause = errno;
  close(descriptor);
  errno = cause;
  return written;
}

// Who is not root loses by exec what the namespace gave, unless it says otherwise. The runtime uses
// these rights for mounting only (runtime/rewind/scratch.cc).
bool keep_right_to_mount() {
  constexpr int kRights[] = {CAP_SYS_ADMIN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_CHOWN, CAP_FSETID};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, sets) != 0) return false;
  for (int right : kRights) sets[0].inheritable |= 1u << right;
  if (syscall(SYS_capset, &header, sets) != 0) return false;
  return std::all_of(std::begin(kRights), std::end(kRights), [](int right) {
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, right, 0, 0) == 0;
  });
}

// Mounts of our own, by right or, for ordinary users, in a user namespace in which they stay who
// they are.
bool separate_mounts(uint32_t& in_user_namespace) {
  in_user_namespace = 0;
  if (unshare(CLONE_NEWNS) != 0) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    in_user_namespace = 1;
    if (!write_file("/proc/self/setgroups", "deny") ||
        !write_file("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) ||
        !write_file("/proc/self/gid_map", fmt::format("{0} {0} 1", group)) ||
        !keep_right_to_mount())
      return false;
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// A descriptor that stands for the place, out of the program's way, open in what exec makes of us.
int open_place(const std::string& path) {
  const int low = open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (low < 0) return -1;
  const int high = fcntl(low, F_DUPFD, kScratchDescriptors);
  close(low);
  return high;
}

}  // namespace

Result<std::vector<std::string>> scratch_directories(std::string_view names) {
  std::vector<std::string> result;
  std::istringstream words{std::string(names)};
  for (std::string name; std::getline(words, name, ',');) {
    std::error_code error;
    const fs::path path = fs::canonical(name, error);
    if (error || !fs::is_directory(path, error))
      return Error{fmt::format("--scratch names {}, which is not a directory", name)};
    result.push_back(path.string());
    if (result.back() == "/")
      return Error{"--scratch cannot cover /; name the directories that the program writes to"};
    if (const std::string point = mount_below(result.back()); !point.empty())
      return Error{
          fmt::format("--scratch cannot cover {}, because {} is a file system of its own; name "
                      "directories that have none inside",
                      result.back(), point)};
    if (result.back().size() >= sizeof(ChannelScratch::directories[0].path))
      return Error{fmt::format("--scratch: the path {} is too long", result.back())};
  }
  for (const std::string& a : result)
    for (const std::string& b : result)
      if (&a != &b && (a == b || is_below(a, b)))
        return Error{
            fmt::format("--scratch names {} and {}, one inside the other; name one", b, a)};
  if (result.empty() || result.size() > kMostScratch)
    return Error{fmt::format("--scratch takes from 1 to {} directories", kMostScratch)};
  return result;
}

Result<ScratchPlace> ScratchPlace::create() {
  ScratchPlace place;
  place.folder_ = TemporaryFolder("heddle-overlay", TemporaryFolder::Removal::Empty);
  if (place.path().empty()) return TemporaryFolder::failure();
  return place;
}

int enter_scratch(const std::vector<std::string>& directories, const std::string& place,
                  ChannelScratch& notes) {
  notes.count = 0;
  notes.generation = 0;
  if (getcwd(notes.working_directory, sizeof notes.working_directory) == nullptr) return errno;
  if (!separate_mounts(notes.in_user_namespace)) return errno;
  if (mount("heddle", place.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0700") != 0) return errno;
  if ((notes.layers = open_place(place)) < 0) return errno;
  for (const std::string& directory : directories) {
    ChannelScratch::Directory& note = notes.directories[notes.count];
    std::snprintf(note.path, sizeof note.path, "%s", directory.c_str());
    if ((note.below = open_place(directory)) < 0) return errno;
    ++notes.count;
  }
  if (const int cause = mount_scratch(notes); cause != 0) return cause;
  return chdir(notes.working_directory) == 0 ? 0 : errno;
}

std::string scratch_complaint(const std::vector<std::string>& directories, int cause) {
  return fmt::format(
      "--scratch cannot make a private copy of {}: {}; it needs overlay file systems and, for "
      "users "
      "other than root, user namespaces",
      fmt::join(directories, ", "), std::strerror(cause));
}

}  // namespace heddle
