// heddle completion: scripts that let shells complete Heddle's command line, made from the same
// tables that read it.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/option_parser.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle completion bash | zsh | fish\n\n"
    "Prints a script that completes Heddle's command line in that shell. An installed Heddle has\n"
    "them in place; otherwise, for example:  source <(heddle completion bash)\n";

constexpr const char* kCommands =
    "check replay prove explain last cache plot cc c++ strategies support completion help version";
constexpr const char* kTraceOptions = "--output= --html= --json --full --help";

// "sync or all" → {"sync", "all"}; nothing for a range that is not a list of words.
std::vector<std::string> words_of(std::string range) {
  constexpr std::string_view kOr = " or ";
  size_t last = range.rfind(kOr);
  if (last == std::string::npos) return {};
  range.replace(last, kOr.size(), ", ");
  std::vector<std::string> words;
  for (size_t at = 0; at < range.size();) {
    size_t end = std::min(range.find(", ", at), range.size());
    words.push_back(range.substr(at, end - at));
    if (words.back().find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") !=
        std::string::npos)
      return {};
    at = end + 2;
  }
  return words;
}

std::vector<std::string> values_of(const OptionInfo& option) {
  if (option.name == "strategy") {
    std::vector<std::string> names;
    for (const StrategyInfo& strategy : strategies()) names.emplace_back(strategy.name);
    return names;
  }
  if (option.name == "output") return {"text", "json", "sarif", "junit", "dot", "html", "lines"};
  return words_of(option.range);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string bash() {
  std::string options, cases;
  for (const OptionInfo& option : check_option_list()) {
    options += fmt::format(" --{}{}", option.name, option.value.empty() ? "" : "=");
    if (std::vector<std::string> values = values_of(option); !values.empty())
      cases += fmt::format("      --{}) words=\"{}\" ;;\n", option.name, joined(values, " "));
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
    check) words="{}" ;;
    replay) words="--gdb --trust --program= {}" ;;
    explain) words="--code {}" ;;
    completion) words="bash zsh fish" ;;
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
                     kCommands, cases, options, kTraceOptions, kTraceOptions);
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
  std::string options;
  for (const OptionInfo& option : check_option_list()) {
    options += fmt::format("        '--{}{}[{}]", option.name, option.value.empty() ? "" : "=",
                           quoted(option.help));
    if (std::vector<std::string> values = values_of(option); !values.empty())
      options += fmt::format(":value:({})", joined(values, " "));
    else if (!option.value.empty())
      options += ":value:_files";
    options += "' \\\n";
  }
  return fmt::format(R"(#compdef heddle
# zsh completion for heddle; made by "heddle completion zsh"
_heddle() {{
  local -a trace
  trace=('--output=[format and file]:kind:(text json sarif junit dot html lines)'
    '--html=[a page for the browser]:file:_files' '--json[one JSON document]'
    '--full[every step]' '--help[help]' '*:trace:_files -g "*.heddle-trace"')
  if (( CURRENT == 2 )); then
    compadd {}
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
    check)
      _arguments \
{}        '*:program or sources:_files'
      ;;
    replay) _arguments '--gdb[stop in gdb where the bug shows]' '--trust[run it though it has changed]' \
      '--program=[the program to run]:program:_files' $trace ;;
    explain) _arguments '--code[what a kind of finding means]' $trace ;;
    completion) compadd bash zsh fish ;;
    *) _files ;;
  esac
}}
_heddle "$@"
)",
                     kCommands, options);
}

std::string fish() {
  std::string text = fmt::format(
      "# fish completion for heddle; made by \"heddle completion fish\"\n"
      "complete -c heddle -n __fish_use_subcommand -f -a '{}'\n",
      kCommands);
  for (const OptionInfo& option : check_option_list()) {
    text += fmt::format("complete -c heddle -n '__fish_seen_subcommand_from check' -l {} -d '{}'",
                        option.name, quoted(option.help));
    if (!option.value.empty()) text += " -r";
    if (std::vector<std::string> values = values_of(option); !values.empty())
      text += fmt::format(" -f -a '{}'", joined(values, " "));
    text += '\n';
  }
  for (const char* option : {"output -r -f -a 'text json sarif junit dot html lines'", "html -r",
                             "json", "full", "help"})
    text += fmt::format(
        "complete -c heddle -n '__fish_seen_subcommand_from replay explain' -l {}\n", option);
  return text +
         "complete -c heddle -n '__fish_seen_subcommand_from replay' -l gdb\n"
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
    fmt::print("{}", kHelp);
    return kExitPass;
  }
  if (arguments->words.size() == 1)
    for (const Shell& shell : kShells) {
      if (shell.name != arguments->words[0]) continue;
      fmt::print("{}", shell.script());
      return kExitPass;
    }
  return Error{"name a shell: heddle completion bash, zsh or fish"};
}

}  // namespace heddle
