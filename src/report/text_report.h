// The run as text, in the manner of a compiler's diagnostics.
#pragma once

#include <string>

#include "report/run_result.h"
#include "report/text_style.h"

namespace heddle {

std::string text_report(const RunResult& result, const TextStyle& style);
// One line per finding, and the verdict.
std::string short_report(const RunResult& result, const TextStyle& style);

// What happened in one execution, without the replay line.
std::string trace_report(const Trace& trace, const TextStyle& style);

// The same for the name of a file, which must not look like an option.
std::string file_word(const std::string& path);
std::string shell_word(const std::string& word);  // quoted if a shell would take it apart

}  // namespace heddle
