#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/standard_output.h"
#include "report/text_style.h"

namespace heddle {
namespace {

constexpr double kInterval = 0.25;

std::string time_left(const Progress& progress, double per_second) {
  if (per_second <= 0) return "";
  const double seconds = static_cast<double>(progress.estimate - progress.executions) / per_second;
  if (seconds < 60) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 2 * 3600) return fmt::format("{:.0f} min left", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.0f} h left", seconds / 3600);
  return fmt::format("{} days left", grouped(static_cast<uint64_t>(seconds / 86400)));
}

// How far it may be off, where that is known, and what it means in time.
std::string about_the_estimate(const Progress& progress, double per_second) {
  std::string text = time_left(progress, per_second);
  if (const double error = progress.estimate_error; error > 0)
    text = plus_minus(error) + (text.empty() ? "" : ", ") + text;
  return text.empty() ? "" : " (" + text + ")";
}

}  // namespace

std::string progress_text(const Progress& progress, double per_second, double elapsed) {
  std::string text = fmt::format("{}, {}/s", counted(progress.executions, "execution"),
                                 grouped(static_cast<uint64_t>(per_second)));
  if (const uint64_t all = progress.estimate; all > progress.executions)
    text +=
        fmt::format(", about {} in all{}", about(all), about_the_estimate(progress, per_second));
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
  print_error_text("\r\033[K" + progress_text(header.progress, speed, elapsed));
  std::fflush(stderr);
  shown_ = true;
  last_ = elapsed;
  executions_ = executions;
}

void ProgressLine::clear() {
  if (!shown_) return;
  print_error_text("\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace heddle
