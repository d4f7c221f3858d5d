#include "cli/option_values.h"

namespace heddle {

std::string OptionValues::text() const {
  if (count_ == 0) return text_ == nullptr ? "" : text_;
  std::string all = words_[0];
  for (size_t i = 1; i < count_; ++i)
    all.append(i + 1 < count_ ? ", " : " or ").append(words_.at(i));
  return all;
}

OptionValues::Words OptionValues::words() const {
  if (others_ != nullptr) return others_();
  return {words_.begin(), words_.begin() + count_};
}

}  // namespace heddle
