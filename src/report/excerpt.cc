#include "report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>
#include <vector>

namespace heddle {
namespace {

// Of the name or number that begins at `column`; 1 for anything else.
size_t token_length(const std::string& line, size_t column) {
  auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  size_t end = column;
  while (end < line.size() && in_name(line[end])) ++end;
  return std::max<size_t>(1, end - std::min(column, end));
}

// Without its first `columns` columns, which become "…".
std::string without_start(const std::string& line, size_t columns) {
  if (columns == 0) return line;
  size_t at = 0;
  while (at < line.size() && width_of(line.substr(0, at)) <= columns) ++at;
  auto inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  while (at < line.size() && inside_character(line[at])) ++at;
  return at < line.size() ? "…" + line.substr(at) : "";
}

}  // namespace

std::string source_excerpt(const Place& place, const TextStyle& style) {
  constexpr int kBefore = 2;
  const size_t width = std::max<size_t>(style.width, 30) - 10;
  if (!place.known()) return "";
  std::ifstream file(place.path);
  std::string line;
  std::vector<std::string> lines;
  for (int number = 1; number <= place.line; ++number) {
    if (!std::getline(file, line)) return "";
    if (number < place.line - kBefore) continue;
    std::replace(line.begin(), line.end(), '\t', ' ');
    lines.push_back(line);
  }
  size_t text = line.find_first_not_of(' ');
  size_t column = place.column > 0 ? static_cast<size_t>(place.column) - 1
                                   : (text == std::string::npos ? 0 : text);
  const size_t before = width_of(line.substr(0, column));
  const size_t token = std::min(token_length(line, column), width - 2);
  // What is marked must be seen.
  const size_t hidden = before + token < width ? 0 : before + token + 2 - width;
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i)
    out += fmt::format("{:>6} | {}\n", place.line - static_cast<int>(lines.size() - 1 - i),
                       cut_to(without_start(lines[i], hidden), width));
  std::string mark = "^" + std::string(token - 1, '~');
  return out + fmt::format("{:>6} | {}{}\n", "", std::string(before - hidden, ' '),
                           painted(mark, Paint::Good, style));
}

}  // namespace heddle
