// The options of `heddle check`: one table (in the .cc), one struct, one parser.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/option_table.h"
#include "cli/outputs.h"
#include "cli/result.h"
#include "cli/script_files.h"
#include "model/run_options.h"

namespace heddle {

struct CheckOptions {
  RunOptions run;
  ScriptFiles scripts;
  double time_limit = 0;      // seconds; 0: none
  double watchdog = 10;       // seconds
  uint32_t processes = 1;     // that search at the same time
  uint64_t memory_limit = 0;  // bytes; 0: by what the machine has
  std::string trace_directory = ".";
  std::string coverage_file;  // empty: not counted
  std::string compiler = "gcc";
  OutputOptions output;
  std::string suppressions;  // a file
  std::string properties;    // a file
  std::string scratch;       // directories, with commas between
  std::string session;       // a file; empty: none
  bool help = false;
};

struct CheckRequest {
  CheckOptions options;
  std::vector<std::string> inputs;         // one program, or sources
  std::vector<std::string> compile_flags;  // -D…, -I…, …, in order
  std::vector<std::string> arguments;      // of the program, after "--"
  std::vector<std::string> words;          // all, with what response files stand for
};

// Whether there must be something to check among the words.
enum class Inputs : uint8_t { Needed, Optional };
Result<CheckRequest> parse_check(std::span<const std::string> words,
                                 Inputs inputs = Inputs::Needed);
std::string check_help();

// The options that may change when a session is resumed, put in place of those of then; and the
// words that are left.
Result<Arguments> parse_resume(std::span<const std::string> words, CheckOptions& options);
std::string resume_options_help();
std::vector<OptionInfo> resume_option_list();

// For completions.
std::vector<OptionInfo> check_option_list();

}  // namespace heddle
