#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

namespace heddle {
namespace {

constexpr double kInterval = 0.25;

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace

std::string progress_text(const Progress& progress, double per_second, double elapsed) {
  std::string text = fmt::format("{} executions, {}/s", grouped(progress.executions),
                                 grouped(static_cast<uint64_t>(per_second)));
  if (progress.bound >= 0) text += fmt::format(", bound {}", progress.bound.load());
  text += fmt::format(", depth {}, {} finding{}, {}:{:02}", grouped(progress.longest),
                      progress.findings.load(), progress.findings == 1 ? "" : "s",
                      static_cast<int>(elapsed) / 60, static_cast<int>(elapsed) % 60);
  return text;
}

void ProgressLine::show(const ChannelHeader& header, double elapsed) {
  if (!enabled_ || elapsed - last_ < kInterval) return;
  uint64_t executions = header.progress.executions;
  double speed = static_cast<double>(executions - executions_) / (elapsed - last_);
  fmt::print(stderr, "\r\033[K{}", progress_text(header.progress, speed, elapsed));
  std::fflush(stderr);
  shown_ = true;
  last_ = elapsed;
  executions_ = executions;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace heddle
