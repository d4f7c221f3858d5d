#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace heddle {
namespace {

size_t width_of_stdout() {
  if (const char* columns = std::getenv("COLUMNS")) {
    int width = std::atoi(columns);
    if (width >= 20 && width <= 10'000) return static_cast<size_t>(width);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return TextStyle{}.width;
}

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

}  // namespace

TextStyle style_of_stdout() {
  TextStyle style;
  style.width = width_of_stdout();
  style.colour = colours_wanted();
  style.wrap = isatty(STDOUT_FILENO) != 0;
  return style;
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

}  // namespace heddle
