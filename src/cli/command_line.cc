#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/compile_flags.h"
#include "cli/did_you_mean.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/standard_output.h"
#include "report/text_report.h"

namespace heddle {
namespace {

struct CommandRow {
  const char* name;
  const char* usage;
  const char* summary;
  Result<int> (*run)(Words words);
};

constexpr CommandRow kCommands[] = {
    {"check", "check [PROGRAM or SOURCES…] [options] [-- ARGUMENTS]",
     "explore the schedules of a program and report bugs", check_command},
    {"resume", "resume FILE [options]", "go on with the search of check --session=FILE",
     resume_command},
    {"status", "status FILE [--json]", "tell how far the search of check --session=FILE has come",
     status_command},
    {"replay", "replay TRACE [--gdb] [options]", "run one schedule again, perhaps in gdb",
     replay_command},
    {"prove", "prove SOURCES… [options]",
     "explore all states of a program graph made from the sources", prove_command},
    {"explain", "explain TRACE [options] | --code [KIND]",
     "tell what a trace file holds, or what a kind of finding means, without running anything",
     explain_command},
    {"last", "last [options]", "repeat the last check that found a bug", last_command},
    {"cache", "cache [clear]", "show or remove the programs compiled for checks", cache_command},
    {"plot", "plot FILE.csv… [-o FILE.svg]", "draw the coverage that check --coverage counted",
     plot_command},
    {"cc", "cc …", "compile and link C for checking; takes the compiler's options", cc_command},
    {"c++", "c++ …", "the same for C++", cxx_command},
    {"strategies", "strategies", "list the search strategies", strategies_command},
    {"support", "support", "list the functions that are controlled, passed on or refused",
     support_command},
    {"completion", "completion bash | zsh | fish", "print a script that completes command lines",
     completion_command},
};

std::string help() {
  std::string text =
      "Heddle runs a multithreaded C or C++ program under its own scheduler, explores the\n"
      "interleavings and reports bugs with schedules that can be replayed.\n\n";
  for (const CommandRow& row : kCommands)
    text += fmt::format("  heddle {}\n      {}\n", row.usage, row.summary);
  return text +
         "\n\"heddle help COMMAND\" says more, \"heddle version\" which one this is. Start with: "
         "heddle check prog.c\n";
}

const CommandRow* find_command(std::string_view name) {
  for (const CommandRow& row : kCommands)
    if (name == row.name) return &row;
  return nullptr;
}

// A program or a source is what the most common command takes.
Error no_such_command(const std::string& word) {
  std::error_code ignored;
  if (language_of(word) != Language::None || std::filesystem::is_regular_file(word, ignored))
    return Error{fmt::format("there is no command \"{}\"; did you mean: heddle check {}", word,
                             file_word(word))};
  return Error{fmt::format("there is no {} \"{}\"{}; see heddle --help",
                           word.starts_with('-') ? "option" : "command", word,
                           did_you_mean(word, command_names()))};
}

// The compilers' own commands have the help of heddle, not the compiler's.
Result<int> help_for(const std::string& name) {
  const CommandRow* row = find_command(name);
  if (row == nullptr) return no_such_command(name);
  if (row->run == cc_command || row->run == cxx_command) {
    print_output("usage: heddle {}\n\n{}\n", row->usage, row->summary);
    return kExitPass;
  }
  const std::vector<std::string> help = {"--help"};
  return row->run(help);
}

Result<int> dispatch(Words words) {
  if (words.empty()) return Error{"name a command; see heddle --help"};
  const std::string& word = words.front();
  if (word == "help" && words.size() > 1) return help_for(words[1]);
  if (word == "--help" || word == "-h" || word == "help") {
    print_text(help());
    return kExitPass;
  }
  if (word == "--version" || word == "-V" || word == "version") {
    print_output("heddle {}\n", HEDDLE_VERSION);
    return kExitPass;
  }
  const CommandRow* row = find_command(word);
  if (row == nullptr) return no_such_command(word);
  return row->run(words.subspan(1));
}

}  // namespace

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : kCommands) names.emplace_back(row.name);
  names.insert(names.end(), {"help", "version"});
  return names;
}

int run_command_line(Words words) {
  const std::string complaint = prepare_stack();
  return closing_status(complaint.empty() ? dispatch(words) : Error{complaint});
}

}  // namespace heddle
