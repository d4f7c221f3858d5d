// What values an option takes: one of a few words, or what a sentence says, perhaps made of words
// that some other table has.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle {

class OptionValues {
 public:
  using Words = std::vector<std::string>;

  constexpr OptionValues(std::initializer_list<const char*> words) {
    for (const char* word : words) words_.at(count_++) = word;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): a row of a table says just the sentence
  constexpr OptionValues(const char* text, Words (*others)() = nullptr)
      : text_(text), others_(others) {}

  // "depth, breadth or random", or the sentence.
  std::string text() const;
  // Those that may be given, in a list with commas perhaps; none where any text may.
  Words words() const;

 private:
  static constexpr size_t kMost = 10;
  std::array<const char*, kMost> words_{};
  size_t count_ = 0;
  const char* text_ = nullptr;
  Words (*others_)() = nullptr;
};

}  // namespace heddle
