#include "report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

namespace heddle {
namespace {

// Of the name or number that begins at `column`; 1 for anything else.
size_t token_length(const std::string& line, size_t column) {
  auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  size_t end = column;
  while (end < line.size() && in_name(line[end])) ++end;
  return std::max<size_t>(1, end - std::min(column, end));
}

}  // namespace

std::string source_excerpt(const Place& place, const TextStyle& style) {
  constexpr int kBefore = 2;
  if (!place.known()) return "";
  std::ifstream file(place.path);
  std::string line, out;
  for (int number = 1; number <= place.line; ++number) {
    if (!std::getline(file, line)) return "";
    if (number < place.line - kBefore) continue;
    std::replace(line.begin(), line.end(), '\t', ' ');
    out += fmt::format("{:>6} | {}\n", number, cut_to(line, style.width - 10));
  }
  size_t text = line.find_first_not_of(' ');
  size_t column = place.column > 0 ? static_cast<size_t>(place.column) - 1
                                   : (text == std::string::npos ? 0 : text);
  std::string mark = "^" + std::string(token_length(line, column) - 1, '~');
  return out + fmt::format("{:>6} | {}{}\n", "", std::string(width_of(line.substr(0, column)), ' '),
                           painted(mark, Paint::Good, style));
}

}  // namespace heddle
