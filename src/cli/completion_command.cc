// heddle completion: scripts that let shells complete Heddle's command line, made from the same
// tables that read it.
#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/option_parser.h"
#include "cli/standard_output.h"
#include "cli/trace_request.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle completion bash | zsh | fish\n\n"
    "Prints a script that completes Heddle's command line in that shell. An installed Heddle has\n"
    "them in place; otherwise, for example:  source <(heddle completion bash)\n";

// The commands that have options worth completing.
struct CompletedCommand {
  const char* name;
  std::vector<OptionInfo> options;
  const char* files;  // what its other words are, for zsh
};

std::vector<CompletedCommand> completed_commands() {
  std::vector<OptionInfo> explain = trace_option_list(Gdb::Unknown);
  explain.push_back({"code", false, {}, "what a kind of finding means"});
  return {{"check", check_option_list(), "*:program or sources:_files"},
          {"resume", resume_option_list(), "*:session:_files"},
          {"status", {{"json", false, {}, "as JSON"}}, "*:session:_files"},
          {"replay", trace_option_list(Gdb::Allowed), "*:trace:_files -g \"*.heddle-trace\""},
          {"explain", std::move(explain), "*:trace:_files -g \"*.heddle-trace\""}};
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string bash() {
  std::string options, values;
  std::set<std::string> seen;
  for (const CompletedCommand& command : completed_commands()) {
    std::string words;
    for (const OptionInfo& option : command.options) {
      words += fmt::format(" --{}{}", option.name, option.takes_value ? "=" : "");
      if (!option.words.empty() && seen.insert(option.name).second)
        values +=
            fmt::format("      --{}) words=\"{}\" ;;\n", option.name, joined(option.words, " "));
    }
    options += fmt::format("    {}) words=\"{}\" ;;\n", command.name, words.substr(1));
  }
  return fmt::format(R"(# bash completion for heddle; made by "heddle completion bash"
_heddle() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  COMPREPLY=()
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  # "=" is a word of its own for bash
  if [[ $word == = || $before == = ]]; then
    [[ $word == = ]] && word="" || before=${{COMP_WORDS[COMP_CWORD-2]}}
    [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD-2]}}
    case $before in
{}      *) COMPREPLY=($(compgen -f -- "$word")); return ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}    completion) words="bash zsh fish" ;;
  esac
  if [[ $word == -* || ${{COMP_WORDS[1]}} == completion ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames
  fi
}}
complete -F _heddle heddle
)",
                     joined(command_names(), " "), values, options);
}

// In the single quotes of zsh and fish, without what _arguments would take for its own.
std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'' || c == '[' || c == ']' || c == ':' || c == '\n')
      out += ' ';
    else
      out += c;
  }
  std::string once;
  for (char c : out)
    if (c != ' ' || once.empty() || once.back() != ' ') once += c;
  return once;
}

std::string zsh() {
  std::string cases;
  for (const CompletedCommand& command : completed_commands()) {
    cases += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const OptionInfo& option : command.options) {
      cases += fmt::format("        '--{}{}[{}]", option.name, option.takes_value ? "=" : "",
                           quoted(option.help));
      if (!option.words.empty())
        cases += fmt::format(":value:({})", joined(option.words, " "));
      else if (option.takes_value)
        cases += ":value:_files";
      cases += "' \\\n";
    }
    cases += fmt::format("        '{}'\n      ;;\n", command.files);
  }
  return fmt::format(R"(#compdef heddle
# zsh completion for heddle; made by "heddle completion zsh"
_heddle() {{
  if (( CURRENT == 2 )); then
    compadd {}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
{}    completion) compadd bash zsh fish ;;
    *) _files ;;
  esac
}}
_heddle "$@"
)",
                     joined(command_names(), " "), cases);
}

std::string fish() {
  std::string text = fmt::format(
      "# fish completion for heddle; made by \"heddle completion fish\"\n"
      "complete -c heddle -n __fish_use_subcommand -f -a '{}'\n",
      joined(command_names(), " "));
  for (const CompletedCommand& command : completed_commands())
    for (const OptionInfo& option : command.options) {
      text += fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}' -l {} -d '{}'",
                          command.name, option.name, quoted(option.help));
      if (option.takes_value) text += " -r";
      if (!option.words.empty()) text += fmt::format(" -f -a '{}'", joined(option.words, " "));
      text += '\n';
    }
  return text +
         "complete -c heddle -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
}

}  // namespace

Result<int> completion_command(Words words) {
  struct Shell {
    std::string_view name;
    std::string (*script)();
  };
  constexpr Shell kShells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  Result<Arguments> arguments = parse_options(words, "completion", {});
  if (!arguments) return arguments.error();
  if (arguments->help) {
    print_text(kHelp);
    return kExitPass;
  }
  if (arguments->words.size() == 1)
    for (const Shell& shell : kShells) {
      if (shell.name != arguments->words[0]) continue;
      print_text(shell.script());
      return kExitPass;
    }
  return Error{"name a shell: heddle completion bash, zsh or fish"};
}

}  // namespace heddle
