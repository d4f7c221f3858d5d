#include "cli/response_file.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle {
namespace {

constexpr int kDeepest = 16;  // a file that names itself has no end

void expand(const std::string& word, int depth, std::vector<std::string>& result) {
  std::ifstream file;
  std::error_code ignored;
  if (word.size() > 1 && word[0] == '@' && depth < kDeepest &&
      !std::filesystem::is_directory(word.substr(1), ignored))
    file.open(word.substr(1));
  if (!file.is_open()) {
    result.push_back(word);
    return;
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const std::string& inner : words_of(text)) expand(inner, depth + 1, result);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty if it is quoted
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> expand_response_files(std::span<const std::string> words) {
  std::vector<std::string> result;
  for (const std::string& word : words) expand(word, 0, result);
  return result;
}

}  // namespace heddle
