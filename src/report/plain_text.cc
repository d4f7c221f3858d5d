#include "report/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace heddle {
namespace {

// How many bytes the character at the beginning of `text` has; 0 if it is none.
size_t character_at(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return 0;
  uint32_t point = byte(0) & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  bool overlong = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
  bool surrogate = point >= 0xd800 && point < 0xe000;
  bool forbidden = point == 0xfffe || point == 0xffff || point > 0x10ffff;
  return overlong || surrogate || forbidden ? 0 : bytes;
}

// Of "\033[1;31m" at the beginning of a text; 0 if it begins with something else.
size_t length_of_colour(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

// The bytes of a control character at the beginning of a text, but for ends of lines and
// tabulators.
size_t length_of_control(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\n' || byte == '\t' || text.starts_with("\r\n")) return 0;
  if (byte < 0x20 || byte == 0x7f) return 1;
  const bool high = byte == 0xc2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xa0;
  return high ? 2 : 0;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t bytes = character_at(text);
    out += bytes == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (char c : valid_utf8(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
    else
      out += "\xef\xbf\xbd";  // not allowed in XML, however written
  }
  return out;
}

std::string harmless(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t length = length_of_control(text);
    if (const size_t colour = length_of_colour(text); length == 0 || colour > 0) {
      length = std::max<size_t>(colour, 1);
      out += text.substr(0, length);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[length - 1]));
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string file_uri(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./~+,=@";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    if (kPlain.find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace heddle
