#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace heddle {
namespace {

Error cannot_write(const std::string& path, int cause) {
  return Error{fmt::format("cannot write {}: {}", path, std::strerror(cause))};
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  int descriptor = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666);
  const bool made = descriptor >= 0;
  if (!made && errno == EEXIST) descriptor = ::open(path.c_str(), kFlags | O_CREAT, 0666);
  if (descriptor < 0) return cannot_write(path, errno);
  return OutputFile(path, descriptor, made);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      made_(std::exchange(other.made_, false)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (made_) unlink(path_.c_str());
}

OutputFile::Identity OutputFile::identity() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_dev, status.st_ino};
}

OutputFile::Identity OutputFile::identity_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

// Pipes and terminals have no length. Closing writes what is left, so it may be what fails.
Result<bool> OutputFile::write(std::string_view text) {
  made_ = false;
  if (ftruncate(descriptor_, 0) != 0 && errno != EINVAL) return cannot_write(path_, errno);
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path_, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (close(std::exchange(descriptor_, -1)) != 0) return cannot_write(path_, errno);
  return true;
}

}  // namespace heddle
