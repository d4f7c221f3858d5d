#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "report/text_style.h"

namespace heddle {
namespace {

constexpr double kInterval = 0.25;

}  // namespace

std::string progress_text(const Progress& progress, double per_second, double elapsed) {
  std::string text = fmt::format("{} executions, {}/s", grouped(progress.executions),
                                 grouped(static_cast<uint64_t>(per_second)));
  if (progress.bound >= 0) text += fmt::format(", bound {}", progress.bound.load());
  text += fmt::format(", depth {}, {}, {}:{:02}", grouped(progress.longest),
                      counted(progress.findings, "finding"), static_cast<int>(elapsed) / 60,
                      static_cast<int>(elapsed) % 60);
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
