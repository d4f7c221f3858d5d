// A file that a result will be written to, opened before the result is there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/result.h"

namespace heddle {

class OutputFile {
 public:
  // What the file holds stays until write(): a search that comes to nothing costs nobody a report.
  static Result<OutputFile> open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Removes the file if it was made here and never written.
  ~OutputFile();

  // In place of what is there. An error says which file, and why not.
  Result<bool> write(std::string_view text);
  const std::string& path() const { return path_; }

  // Whatever it is called: the same for one file only; empty for what is no file on a disk.
  using Identity = std::pair<uint64_t, uint64_t>;
  Identity identity() const;
  static Identity identity_of(const std::string& path);

 private:
  OutputFile(std::string path, int descriptor, bool made)
      : path_(std::move(path)), descriptor_(descriptor), made_(made) {}

  std::string path_;
  int descriptor_ = -1;
  bool made_ = false;  // and not written yet
};

}  // namespace heddle
