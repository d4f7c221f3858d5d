// Response files: "@file" on a compiler's command line stands for the words in the file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// As gcc reads them: white space separates words, quotes keep it, a backslash takes the next
// character as it is.
std::vector<std::string> words_of(std::string_view text);

// The words with response files replaced by what is in them, also inside each other. A file that
// cannot be read stays as it is written, for the compiler to complain about.
std::vector<std::string> expand_response_files(std::span<const std::string> words);

}  // namespace heddle
