#include "cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal.h"
#include "report/dot_report.h"
#include "report/html_report.h"
#include "report/json_report.h"
#include "report/junit_report.h"
#include "report/lines_report.h"
#include "report/plain_text.h"
#include "report/sarif_report.h"
#include "report/text_report.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct KindRow {
  const char* name;
  OutputKind kind;
};

constexpr KindRow kKinds[] = {
    {"text", OutputKind::Text},   {"json", OutputKind::Json}, {"sarif", OutputKind::Sarif},
    {"junit", OutputKind::Junit}, {"dot", OutputKind::Dot},   {"html", OutputKind::Html},
    {"lines", OutputKind::Lines},
};

std::string render(OutputKind kind, const RunResult& result, const OutputOptions& options,
                   const TextStyle& style) {
  switch (kind) {
    case OutputKind::Json:
      return json_report(result, HEDDLE_VERSION);
    case OutputKind::Sarif:
      return sarif_report(result, HEDDLE_VERSION);
    case OutputKind::Junit:
      return junit_report(result);
    case OutputKind::Dot:
      return dot_report(result);
    case OutputKind::Html:
      return html_report(result, HEDDLE_VERSION);
    case OutputKind::Lines:
      return lines_report(result);
    default:
      return harmless(options.quiet ? short_report(result, style) : text_report(result, style));
  }
}

// A directory stands for a file in it that is called after the program.
bool goes_to_folder(const Output& output) {
  std::error_code ignored;
  return output.file.ends_with('/') || fs::is_directory(output.file, ignored);
}

std::string file_in(const Output& output, const std::string& name) {
  if (!goes_to_folder(output)) return output.file;
  const char* ending = "";
  for (const KindRow& row : kKinds)
    if (row.kind == output.kind) ending = row.name;
  return (fs::path(output.file) / fmt::format("{}.{}", name, ending)).string();
}

void make_folder_of(const std::string& file) {
  std::error_code ignored;
  if (fs::path folder = fs::path(file).parent_path(); !folder.empty())
    fs::create_directories(folder, ignored);
}

}  // namespace

bool add_output(std::string_view text, std::vector<Output>& outputs) {
  size_t colon = text.find(':');
  std::string_view kind = text.substr(0, colon);
  std::string file;
  if (colon != std::string_view::npos) {
    file = text.substr(colon + 1);
    if (file.empty()) return false;
    if (file == "-") file.clear();
  }
  for (const KindRow& row : kKinds) {
    if (kind != row.name) continue;
    outputs.push_back({row.kind, std::move(file)});
    return true;
  }
  return false;
}

std::vector<std::string> output_kind_names() {
  std::vector<std::string> names;
  for (const KindRow& row : kKinds) names.emplace_back(row.name);
  return names;
}

std::string output_complaint(const std::vector<Output>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (outputs[i].file != outputs[j].file) continue;
      if (outputs[i].kind != outputs[j].kind && goes_to_folder(outputs[i])) continue;
      if (outputs[i].file.empty())
        return "two outputs cannot both go to standard output; give one a file, as in "
               "--output=json:report.json";
      return fmt::format("two outputs cannot both go to {}", outputs[i].file);
    }
  return "";
}

Result<OpenOutputs> OpenOutputs::open(const OutputOptions& options, const std::string& name,
                                      const std::vector<std::string>& inputs) {
  OpenOutputs outputs(options);
  for (const Output& output : options.outputs) {
    if (output.file.empty()) continue;
    const std::string path = file_in(output, name);
    make_folder_of(path);
    Result<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    const OutputFile::Identity identity = file->identity();
    for (const std::string& input : inputs)
      if (identity != OutputFile::Identity{} && identity == OutputFile::identity_of(input))
        return Error{
            fmt::format("{} is what is to be checked; give the output another file", path)};
    for (const OpenFile& other : outputs.files_)
      if (identity != OutputFile::Identity{} && identity == other.file.identity())
        return Error{fmt::format("two outputs cannot both go to {}", path)};
    outputs.files_.push_back({output.kind, std::move(*file)});
  }
  return outputs;
}

bool OpenOutputs::speaks() const {
  return std::any_of(options_.outputs.begin(), options_.outputs.end(),
                     [](const Output& output) { return output.file.empty(); });
}

OpenOutputs::Delivery OpenOutputs::deliver(const RunResult& result) {
  TextStyle paper{}, screen = style_of_stdout();
  paper.full = screen.full = options_.full;
  Delivery delivery;
  OutputKind spoken = OutputKind::Text;
  for (const Output& output : options_.outputs)
    if (output.file.empty()) spoken = output.kind;
  delivery.text = render(spoken, result, options_, screen);
  for (OpenFile& open : files_)
    if (Result<bool> written = open.file.write(render(open.kind, result, options_, paper));
        !written)
      delivery.complaint += (delivery.complaint.empty() ? "" : "; ") + written.error().message;
  return delivery;
}

}  // namespace heddle
