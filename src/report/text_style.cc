#include "report/text_style.h"

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

}  // namespace

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

std::string counted(uint64_t number, std::string_view noun) {
  return grouped(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

}  // namespace heddle
