#include "report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace heddle {

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
  return out + fmt::format("{:>6} | {}{}\n", "", std::string(column, ' '),
                           painted("^", Paint::Good, style));
}

}  // namespace heddle
