#include "cli/write_file.h"

#include "cli/output_file.h"

namespace heddle {

Result<bool> write_file(const std::string& file, std::string_view text) {
  Result<OutputFile> out = OutputFile::open(file);
  if (!out) return out.error();
  return out->write(text);
}

}  // namespace heddle
