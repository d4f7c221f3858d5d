// A folder for the time being, under the system's place for temporary files.
#pragma once

#include <string>
#include <string_view>

#include "cli/file_descriptor.h"
#include "cli/result.h"

namespace heddle {

// Removed with the object. What a process that was killed has left is removed when the next one
// makes a folder of that name: a folder in use is locked.
class TemporaryFolder {
 public:
  enum class Removal : uint8_t { Empty, WithContents };  // what may be removed

  TemporaryFolder() = default;
  // The path is empty if it cannot be made; failure(), called next, says why.
  TemporaryFolder(std::string_view name, Removal removal);
  static Error failure();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  FileDescriptor lock_;
  Removal removal_ = Removal::Empty;
};

}  // namespace heddle
