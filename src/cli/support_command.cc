// heddle support: which functions are controlled, which are passed on, and which are refused.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/option_parser.h"
#include "cli/standard_output.h"
#include "model/functions.h"
#include "model/library_functions.h"
#include "model/thread_functions.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle support [--mdoc]\n\n"
    "Lists the functions that are under control while a program is checked, those that are passed\n"
    "on to the system, and those at which a check ends with status 2.\n\n"
    "  --mdoc   as a part of a page of the manual\n";

struct Section {
  std::string title;
  std::vector<std::string_view> functions;
};

constexpr std::pair<FunctionFamily, std::string_view> kControlled[] = {
#define X(family, function) {FunctionFamily::family, #function},
    HEDDLE_CONTROLLED_FUNCTIONS(X)
#undef X
};

constexpr std::pair<FunctionFamily, std::string_view> kFamilies[] = {
#define X(family, name) {FunctionFamily::family, name},
    HEDDLE_FUNCTION_FAMILIES(X)
#undef X
};

constexpr std::string_view kApi[] = {
#define X(function) #function,
    HEDDLE_API_FUNCTIONS(X)
#undef X
};

constexpr std::pair<std::string_view, std::string_view> kPassed[] = {
#define X(function, traits) {#function, #traits},
    HEDDLE_PASSED_FUNCTIONS(X)
#undef X
};

constexpr std::string_view kLibrary[] = {
#define X(result, function, ...) #function,
    HEDDLE_LIBRARY_SEARCHES(X) HEDDLE_LIBRARY_FUNCTIONS(X) HEDDLE_ATTRIBUTE_FUNCTIONS(X)
#undef X
#define X(function, ...) #function,
        HEDDLE_LIBRARY_PROCEDURES(X) HEDDLE_LIBRARY_FORMATS(X) HEDDLE_LIBRARY_WIDE_FORMATS(X)
            HEDDLE_LIBRARY_COPIES(X)
#undef X
};

std::vector<Section> controlled() {
  std::vector<Section> sections;
  for (const auto& [family, title] : kFamilies) {
    Section& section = sections.emplace_back(Section{std::string(title), {}});
    for (const auto& [of, function] : kControlled)
      if (of == family) section.functions.push_back(function);
  }
  sections.push_back({"what the C library reads and writes, like accesses of the program",
                      {kLibrary, std::end(kLibrary)}});
  sections.push_back({"what programs tell Heddle (heddle/heddle.h)", {kApi, std::end(kApi)}});
  return sections;
}

std::vector<Section> passed() {
  Section on{"passed on", {}}, refused{"refused by name", {}},
      alone{"refused while other threads exist", {}},
      ready{"refused while other threads exist, if there is no input yet", {}};
  for (const auto& [function, traits] : kPassed) {
    const auto has = [text = traits](std::string_view trait) {
      return text.find(trait) != std::string_view::npos;
    };
    Section& section = has("unsupported")   ? refused
                       : has("blocks")      ? alone
                       : has("waits_input") ? ready
                                            : on;
    section.functions.push_back(function);
  }
  return {on, ready, alone, refused};
}

std::string folded(const Section& section) {
  std::string text = fmt::format("{}:\n", section.title), line = "   ";
  for (std::string_view function : section.functions) {
    if (line.size() + 1 + function.size() > 96) {
      text += line + '\n';
      line = "   ";
    }
    line += fmt::format(" {}", function);
  }
  return text + line + '\n';
}

// The same as a list of mdoc, for the manual.
std::string as_mdoc(const Section& section) {
  std::string text = fmt::format(".It {}\n", section.title);
  for (std::string_view function : section.functions) text += fmt::format("{}\n", function);
  return text;
}

std::string support_text() {
  std::string text = "Functions under Heddle's control\n\n";
  for (const Section& section : controlled()) text += folded(section);
  text +=
      "\nAtomic operations and, with --visible=all, plain accesses are controlled in code "
      "compiled\n"
      "by heddle; the classes of the C++ standard library through the functions above.\n"
      "\nOther functions\n\n";
  for (const Section& section : passed()) text += folded(section);
  text += "anything else:\n    runs as it is\n";
  return text;
}

std::string support_mdoc() {
  std::string text = ".Bl -tag -width Ds -compact\n";
  for (const Section& section : controlled()) text += as_mdoc(section);
  for (const Section& section : passed()) text += as_mdoc(section);
  return text + ".El\n";
}

}  // namespace

Result<int> support_command(Words words) {
  bool mdoc = false;  // for the man page
  Result<Arguments> none = parse_options_only(words, "support", {make_switch("--mdoc", mdoc)});
  if (!none) return none.error();
  if (none->help) {
    print_text(kHelp);
    return kExitPass;
  }
  print_text(mdoc ? support_mdoc() : support_text());
  return kExitPass;
}

}  // namespace heddle
