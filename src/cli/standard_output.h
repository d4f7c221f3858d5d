#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "cli/result.h"
#include "report/plain_text.h"

// What the commands print. A full disk or a terminal that is gone must not end them in the middle,
// since there are files still to be written: what could not be printed is remembered, and said at
// the end.
namespace heddle {

// Control characters that come from names, messages and the output of programs are shown as text.
void print_text(std::string_view text);
void print_error_text(
    std::string_view text);  // to standard error, where nobody is left to be told of a loss

template <class... Arguments>
void print_output(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void print_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_error_text(harmless(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

void flush_output();

// The status that the process ends with when everything is printed: says what went wrong, and what
// of the output is lost, which is a mistake in itself.
int closing_status(Result<int> status);

}  // namespace heddle
