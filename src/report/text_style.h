// How text is laid out and painted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

struct TextStyle {
  size_t width = 100;
  bool colour = false;
  bool full = false;  // every step, however many
  bool wrap = false;  // sentences, too, end at the width: for screens, not for files and scripts
};

enum class Paint : uint8_t { Strong, Faint, Bad, Good, Notice };
std::string painted(std::string_view text, Paint paint, const TextStyle& style);

// In the colour of the n-th thread; blanks are left alone.
std::string painted_thread(std::string_view text, size_t n, const TextStyle& style);

// In characters, not bytes (UTF-8).
size_t width_of(std::string_view text);
std::string cut_to(std::string_view text, size_t width);  // with "…" if something was cut off
std::string padded(std::string_view text, size_t width);  // cut or filled to exactly `width`

// Lines of prose, each broken at blanks where it is wider than the style allows, and indented.
std::string wrapped(std::string_view text, const TextStyle& style);

// "1,234,567"; "1 execution", "2 executions".
std::string grouped(uint64_t number);
std::string counted(uint64_t number, std::string_view noun);
// An estimate: "74,000", since two digits are more than it deserves; "±12 %", for 0.113.
std::string about(uint64_t number);
std::string plus_minus(double relative_error);

}  // namespace heddle
