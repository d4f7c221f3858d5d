#include "cli/channel_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "cli/script_files.h"

namespace heddle {
namespace {

constexpr uint64_t kMappedBytes = kArenaOffset;
constexpr int kLowestFd = 900;  // out of the way of the descriptors a program expects to get

Error failed(const char* what) {
  return Error{fmt::format("cannot {}: {}", what, std::strerror(errno))};
}

}  // namespace

Result<ChannelFile> ChannelFile::create(const RunOptions& options, std::string_view replay) {
  if (replay.size() > kMailboxBytes / 2) return Error{"the trace is too large to be replayed"};
  FileDescriptor low(memfd_create("heddle-channel", MFD_CLOEXEC));
  if (!low.valid()) return failed("create shared memory");
  int high = fcntl(low.get(), F_DUPFD, kLowestFd);
  if (high < 0) high = fcntl(low.get(), F_DUPFD, 3);  // a small limit on descriptors
  if (high < 0) return failed("create shared memory");
  FileDescriptor fd(high);
  if (ftruncate(fd.get(), static_cast<off_t>(kChannelBytes)) != 0)
    return failed("reserve 65 GB of sparse shared memory (is a file size limit set?)");
  void* memory =
      mmap(nullptr, kMappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
  if (memory == MAP_FAILED) return failed("map shared memory");

  auto* header = new (memory) ChannelHeader{};
  header->magic = kChannelMagic;
  header->version = kChannelVersion;
  header->header_size = sizeof(ChannelHeader);
  header->options = options;
  put_scripts(options,
              *reinterpret_cast<ChannelScripts*>(static_cast<char*>(memory) + kScriptsOffset));
  header->progress.bound = -1;
  header->replay_bytes = replay.size();
  std::copy(replay.begin(), replay.end(), static_cast<char*>(memory) + kHeaderBytes);
  return ChannelFile(std::move(fd), memory);
}

ChannelFile::ChannelFile(ChannelFile&& other) noexcept
    : fd_(std::move(other.fd_)), memory_(std::exchange(other.memory_, nullptr)) {}

ChannelFile::~ChannelFile() {
  if (memory_ != nullptr) munmap(memory_, kMappedBytes);
}

// A file is full of zeros at first: an empty log.
const CoverageLog& ChannelFile::coverage() const {
  return *reinterpret_cast<const CoverageLog*>(static_cast<const char*>(memory_) + kCoverageOffset);
}

std::string_view ChannelFile::records() const {
  const char* mailbox = static_cast<const char*>(memory_) + kHeaderBytes;
  // The tested program shares this memory and may have damaged it.
  uint64_t begin = std::min(header().replay_bytes, kMailboxBytes);
  uint64_t end = std::min(header().mailbox_used, kMailboxBytes);
  return {mailbox + begin, end > begin ? end - begin : 0};
}

}  // namespace heddle
