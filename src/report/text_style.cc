#include "report/text_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heddle {
namespace {

std::string_view escape_of(Paint paint) {
  switch (paint) {
    case Paint::Strong:
      return "\033[1m";
    case Paint::Faint:
      return "\033[2m";
    case Paint::Bad:
      return "\033[1;31m";
    case Paint::Good:
      return "\033[1;32m";
    case Paint::Notice:
      return "\033[1;33m";
  }
  return "";
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

// Without the escapes that paint it.
size_t shown_width(std::string_view text) {
  size_t width = 0;
  bool escape = false;
  for (char c : text) {
    if (c == '\033') escape = true;
    width += !escape && begins_character(c) ? 1 : 0;
    if (c == 'm') escape = false;
  }
  return width;
}

std::string wrap_line(std::string_view line, size_t width) {
  const size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string out(line.substr(0, indent));
  size_t column = indent;
  for (size_t at = indent; at < line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    const size_t wide = shown_width(word);
    if (at > indent && column + 1 + wide > width) {
      out += '\n' + std::string(indent + 4, ' ');
      column = indent + 4;
    } else if (at > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += wide;
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string wrapped(std::string_view text, const TextStyle& style) {
  if (!style.wrap) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += shown_width(line) > style.width ? wrap_line(line, style.width) : std::string(line);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string painted(std::string_view text, Paint paint, const TextStyle& style) {
  if (!style.colour || is_blank(text)) return std::string(text);
  return std::string(escape_of(paint)).append(text).append("\033[0m");
}

std::string painted_thread(std::string_view text, size_t n, const TextStyle& style) {
  constexpr std::string_view kColours[] = {"\033[34m", "\033[33m", "\033[32m",
                                           "\033[35m", "\033[36m", "\033[31m"};
  if (!style.colour || is_blank(text)) return std::string(text);
  return std::string(kColours[n % std::size(kColours)]).append(text).append("\033[0m");
}

size_t width_of(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += begins_character(c) ? 1 : 0;
  return width;
}

std::string cut_to(std::string_view text, size_t width) {
  if (width_of(text) <= width) return std::string(text);
  size_t end = 0;
  for (size_t left = width; end < text.size(); ++end)
    if (begins_character(text[end]) && left-- <= 1) break;
  return std::string(text.substr(0, end)) + (width > 0 ? "…" : "");
}

std::string padded(std::string_view text, size_t width) {
  std::string result = cut_to(text, width);
  result.append(width - width_of(result), ' ');
  return result;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string about(uint64_t number) {
  uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return grouped((number + unit / 2) / unit * unit);
}

std::string plus_minus(double relative_error) {
  return fmt::format("±{:.0f} %", std::ceil(100 * relative_error));
}

std::string counted(uint64_t number, std::string_view noun) {
  return grouped(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

}  // namespace heddle
