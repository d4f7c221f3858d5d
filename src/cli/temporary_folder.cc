#include "cli/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

namespace heddle {
namespace {

namespace fs = std::filesystem;

FileDescriptor locked(const std::string& folder) {
  FileDescriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!descriptor.valid() || flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
    return FileDescriptor(-1);
  return descriptor;
}

void remove(const std::string& folder, TemporaryFolder::Removal removal) {
  std::error_code ignored;
  if (removal == TemporaryFolder::Removal::WithContents)
    fs::remove_all(folder, ignored);
  else
    fs::remove(folder, ignored);
}

// One that was made just now may be about to be locked.
bool is_old_and_ours(const std::string& folder) {
  constexpr time_t kJustNow = 60;  // seconds
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && time(nullptr) - status.st_mtime > kJustNow;
}

void remove_leftovers(const fs::path& place, const std::string& prefix,
                      TemporaryFolder::Removal removal) {
  std::error_code error;
  for (fs::directory_iterator at(place, error), end; !error && at != end; at.increment(error)) {
    const std::string folder = at->path().string();
    if (!at->path().filename().string().starts_with(prefix) || !is_old_and_ours(folder)) continue;
    if (const FileDescriptor unused = locked(folder); unused.valid()) remove(folder, removal);
  }
}

}  // namespace

Error TemporaryFolder::failure() {
  return Error{fmt::format(
      "cannot create a directory for temporary files: {}; set TMPDIR to a directory that can be "
      "written",
      std::strerror(errno))};
}

TemporaryFolder::TemporaryFolder(std::string_view name, Removal removal) : removal_(removal) {
  std::error_code ignored;
  const fs::path place = fs::temp_directory_path(ignored);
  const std::string prefix = std::string(name) + '-';
  remove_leftovers(place, prefix, removal);
  std::string path = (place / (prefix + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) return;
  path_ = path;
  lock_ = locked(path_);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept {
  *this = std::move(other);
}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  std::swap(removal_, other.removal_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) remove(path_, removal_);
}

}  // namespace heddle
