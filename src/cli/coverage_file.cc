#include "cli/coverage_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

namespace heddle {
namespace {

constexpr const char* kColumns = "executions,bound,states,terminal_states";

// Reads a number and the comma behind it, if one is due.
template <class Number>
bool take_number(std::string_view& line, Number& number, bool last) {
  auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc()) return false;
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  if (last) return line.empty();
  if (line.empty() || line.front() != ',') return false;
  line.remove_prefix(1);
  return true;
}

bool parse_row(std::string_view line, CoverageRow& row) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return take_number(line, row.execution, false) && take_number(line, row.bound, false) &&
         take_number(line, row.states, false) && take_number(line, row.terminal_states, true);
}

}  // namespace

std::string coverage_text(const CoverageLog& log) {
  std::string text = fmt::format("{}\n", kColumns);
  for (size_t i = 0; i < log.size(); ++i) {
    const CoverageRow& row = log.row(i);
    text += fmt::format("{},{},{},{}\n", row.execution, row.bound, row.states, row.terminal_states);
  }
  return text;
}

Result<std::vector<CoverageRow>> read_coverage(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!in) return Error{fmt::format("cannot read {}: {}", file, std::strerror(errno))};
  if (!std::getline(in, line) || !line.starts_with(kColumns))
    return Error{fmt::format("{} is not a coverage file; heddle check --coverage={} writes one",
                             file, file)};
  std::vector<CoverageRow> rows;
  while (std::getline(in, line)) {
    CoverageRow row;
    if (!parse_row(line, row))
      return Error{fmt::format("line {} of {} is not four numbers with commas between",
                               rows.size() + 2, file)};
    rows.push_back(row);
  }
  if (rows.empty()) return Error{fmt::format("{} has no rows: no execution was counted", file)};
  return rows;
}

}  // namespace heddle
