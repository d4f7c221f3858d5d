// What somebody who mistyped a word may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// The nearest of the candidates, if it is near enough to be meant; "" otherwise.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// " (did you mean NEAREST?)", to be put behind a complaint; "" if nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace heddle
