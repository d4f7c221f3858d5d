#include "trace/trace_format.h"

namespace heddle::trace_format {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void append_escaped(std::string& text, std::string_view raw) {
  static constexpr char kDigits[] = "0123456789abcdef";
  for (char c : raw) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (byte < 0x20 || byte == 0x7f) {
      text += "\\x";
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    } else {
      text += c;
    }
  }
}

bool append_unescaped(std::string& raw, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      raw += text[i];
      continue;
    }
    if (++i == text.size()) return false;
    if (text[i] == 'n') {
      raw += '\n';
    } else if (text[i] == 't') {
      raw += '\t';
    } else if (text[i] == '\\') {
      raw += '\\';
    } else if (text[i] == 'x' && i + 2 < text.size()) {
      int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return false;
      raw += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace heddle::trace_format
