#include "model/schedule.h"

#include <charconv>

namespace heddle {
namespace {

bool take_number(std::string_view& text, uint32_t& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string to_string(const Schedule& schedule) {
  std::string text;
  for (size_t i = 0; i < schedule.size();) {
    size_t run = 1;
    while (i + run < schedule.size() && schedule[i + run] == schedule[i]) ++run;
    if (!text.empty()) text += ' ';
    text += std::to_string(index(schedule[i].thread));
    if (schedule[i].choice != 0) text += '/' + std::to_string(schedule[i].choice);
    if (run > 1) text += '*' + std::to_string(run);
    i += run;
  }
  return text;
}

bool parse_schedule(std::string_view text, Schedule& schedule) {
  constexpr uint32_t kLongestRun = 100'000'000;
  schedule.clear();
  while (true) {
    while (take_char(text, ' ')) continue;
    if (text.empty()) return true;
    uint32_t thread = 0, choice = 0, run = 1;
    if (!take_number(text, thread)) return false;
    if (take_char(text, '/') && !take_number(text, choice)) return false;
    if (take_char(text, '*') && !take_number(text, run)) return false;
    if (!text.empty() && text.front() != ' ') return false;
    if (run == 0 || run > kLongestRun) return false;
    schedule.insert(schedule.end(), run, Transition{ThreadId{thread}, choice});
  }
}

}  // namespace heddle
