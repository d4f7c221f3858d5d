// Text of the tested program (output, names, paths) made fit for formats that are strict about it.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

std::string valid_utf8(std::string_view text);  // what is not UTF-8 becomes U+FFFD
std::string xml_text(std::string_view text);    // valid, escaped; also for attributes
// With "\x1b" in place of what could move a terminal's cursor or change its title; colours may
// stay.
std::string harmless(std::string_view text);
std::string file_uri(const std::string& path);  // "src/a%20b.c", "file:///home/me/x.c"

}  // namespace heddle
