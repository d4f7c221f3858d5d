#include "cli/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/file_descriptor.h"

namespace heddle {

Result<std::string> read_text(const std::string& file, const char* what) {
  auto failed = [&] {
    return Error{fmt::format("cannot read the {} in {}: {}", what, file, std::strerror(errno))};
  };
  FileDescriptor fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return failed();
  std::string text;
  char buffer[1 << 14];
  for (ssize_t got = 0; (got = read(fd.get(), buffer, sizeof buffer)) != 0;) {
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
    if (got < 0 && errno != EINTR) return failed();
  }
  return text;
}

}  // namespace heddle
