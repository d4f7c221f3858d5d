// --output=KIND[:FILE] and its short forms: in which formats a result is given, and where.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/result.h"
#include "report/run_result.h"

namespace heddle {

enum class OutputKind : uint8_t { Text, Json, Sarif, Junit, Dot, Html, Lines };

struct Output {
  OutputKind kind = OutputKind::Text;
  std::string file;  // "": standard output
};

struct OutputOptions {
  std::vector<Output> outputs;
  bool quiet = false;
  bool full = false;
};

// "json", "sarif:report.sarif", "html:reports/"; false if it is not understood.
bool add_output(std::string_view text, std::vector<Output>& outputs);
std::vector<std::string> output_kind_names();
inline constexpr OptionValues kOutputValues{
    "text, json, sarif, junit, dot, html or lines, perhaps with \":FILE\" behind it",
    output_kind_names};

// "" if they can be combined.
std::string output_complaint(const std::vector<Output>& outputs);

// --html=FILE or DIR, the same as --output=html:FILE.
inline bool add_html(std::string_view file, std::vector<Output>& outputs) {
  if (file.empty()) return false;
  outputs.push_back({OutputKind::Html, std::string(file)});
  return true;
}

// The files of some outputs, opened before there is a result to write: that a place cannot be
// written is said before the search, not after it.
class OpenOutputs {
 public:
  // `name` is what to call files in directories; `inputs` must not be overwritten.
  static Result<OpenOutputs> open(const OutputOptions& options, const std::string& name,
                                  const std::vector<std::string>& inputs);

  // Something else than the text report goes to standard output.
  bool speaks() const;

  struct Delivery {
    std::string text;       // for standard output: the text report if all else goes to files
    std::string complaint;  // about files that could not be written; "" if all were
  };
  Delivery deliver(const RunResult& result);

 private:
  struct OpenFile {
    OutputKind kind;
    OutputFile file;
  };

  explicit OpenOutputs(const OutputOptions& options) : options_(options) {}

  OutputOptions options_;
  std::vector<OpenFile> files_;
};

}  // namespace heddle
