#include "prove/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "cli/compile_flags.h"

namespace heddle::prove {
namespace {

using explicit_states::ReductionKind;
using explicit_states::SearchOrder;
using explicit_states::Storage;

template <class Number>
bool read(std::string_view text, Number low, Number high, Number& number) {
  Number got{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), got);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (!(got >= low && got <= high)) return false;
  number = got;
  return true;
}

template <class Value>
bool pick(std::string_view text, std::initializer_list<std::pair<std::string_view, Value>> among,
          Value& value) {
  for (const auto& [word, meaning] : among) {
    if (word != text) continue;
    value = meaning;
    return true;
  }
  return false;
}

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
constexpr double kYear = 365 * 86400.0;
constexpr uint64_t kMegabyte = uint64_t{1} << 20;

struct OptionRow {
  const char* name;
  const char* value;    // what stands behind "=", or nullptr for a switch
  const char* initial;  // for the help text
  const char* range;    // for the help text and for error messages
  const char* help;
  bool (*apply)(ProveOptions& options, std::string_view text);  // false: out of range
};

// clang-format off
#define KIND(enumerator, name, severity) " " name
constexpr OptionRow kOptions[] = {
    {"order", "HOW", "breadth", "depth or breadth",
     "in which order states are explored; breadth finds shortest counterexamples",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"depth", SearchOrder::DepthFirst}, {"breadth", SearchOrder::BreadthFirst}},
                   o.check.order);
     }},
    {"reduction", "WHICH", "none", "none, stubborn or transactions",
     "leave out steps that need not be tried from a state: by stubborn sets, with the\n"
     "      static relation or with patterns of lock acquisition (transactions)",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"none", ReductionKind::None}, {"stubborn", ReductionKind::Stubborn},
                       {"transactions", ReductionKind::Transactions}}, o.check.reduction);
     }},
    {"storage", "HOW", "exact", "exact, compact or bitstate",
     "how visited states are kept: in full, as hashes, or as bits of a field; the last two\n"
     "      may take a state for another, and the guarantee says so",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"exact", Storage::Exact}, {"compact", Storage::HashCompact},
                       {"bitstate", Storage::Bitstate}}, o.check.storage);
     }},
    {"bound", "N", "none", "a number from 0 to 1000000",
     "search by preemptions, none first, up to N of them",
     [](ProveOptions& o, std::string_view t) {
       uint32_t bound = 0;
       if (!read<uint32_t>(t, 0, 1'000'000, bound)) return false;
       o.check.max_preemptions = bound;
       return true;
     }},
    {"memory", "MEGABYTES", "4096", "a number from 1",
     "end the search, undecided, when stored states take more",
     [](ProveOptions& o, std::string_view t) {
       uint64_t megabytes = 0;
       if (!read<uint64_t>(t, 1, kMost / kMegabyte, megabytes)) return false;
       o.check.memory_limit = megabytes * kMegabyte;
       return true;
     }},
    {"max-states", "N", "none", "a number from 1",
     "end the search, undecided, after N states",
     [](ProveOptions& o, std::string_view t) {
       return read<uint64_t>(t, 1, kMost, o.check.max_states);
     }},
    {"time", "SECONDS", "none", "a number of seconds above 0",
     "end the search, undecided, after this time",
     [](ProveOptions& o, std::string_view t) { return read(t, 1e-3, kYear, o.time_limit); }},
    {"keep-going", nullptr, nullptr, nullptr,
     "go on after the first bug and report all of them",
     [](ProveOptions& o, std::string_view) { return o.check.keep_going = true; }},
    {"races", "HOW", "report", "report or off",
     "data races: report them, or do not look for them",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"report", true}, {"off", false}}, o.races);
     }},
    {"overflow", nullptr, nullptr, nullptr,
     "signed overflow and shifts by too many bits are bugs",
     [](ProveOptions& o, std::string_view) { return o.overflow = true; }},
    {"ignore", "KINDS", "none", "kinds of findings with commas between, of:" HEDDLE_FINDING_KINDS(KIND),
     "findings of these kinds do not count: an execution that comes to one ends there",
     [](ProveOptions& o, std::string_view t) {
       const std::optional<FindingKinds> kinds = finding_kinds_from_list(t);
       if (kinds) o.ignored = *kinds;
       return kinds.has_value();
     }},
    {"reach-only", nullptr, nullptr, nullptr,
     "only failed assertions and calls of reach_error count, as in SV-COMP's property\n"
     "      unreach-call; abort() ends the program",
     [](ProveOptions& o, std::string_view) { return o.reach_only = true; }},
    {"max-threads", "N", "16", "a number from 1 to 64",
     "threads of one execution, main included; one that starts more is not followed\n"
     "      further, and the verdict unknown",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 64, o.max_threads); }},
    {"unwind", "N", "8", "a number from 1 to 1000",
     "calls of a function within itself; likewise (loops need no bound)",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 1000, o.unwind); }},
    {"allocations", "N", "8", "a number from 1 to 10000",
     "blocks that one thread allocates at one place in a loop; likewise",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 10'000, o.allocations); }},
    {"confirm", "HOW", "natively", "natively or no",
     "run the program itself along each counterexample and say whether the bug shows",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"natively", Confirm::Natively}, {"no", Confirm::No}}, o.confirm);
     }},
    {"trace-dir", "DIR", ".", "a directory",
     "where to write trace files",
     [](ProveOptions& o, std::string_view t) {
       o.trace_directory = t;
       return !t.empty();
     }},
    {"dump-graph", nullptr, nullptr, nullptr,
     "print the program graph and do nothing else",
     [](ProveOptions& o, std::string_view) { return o.dump_graph = true; }},
    {"json", nullptr, nullptr, nullptr,
     "one JSON document instead of the report",
     [](ProveOptions& o, std::string_view) { return o.json = true; }},
    {"quiet", nullptr, nullptr, nullptr,
     "print one line per bug and the verdict only",
     [](ProveOptions& o, std::string_view) { return o.quiet = true; }},
    {"help", nullptr, nullptr, nullptr,
     "print this text",
     [](ProveOptions& o, std::string_view) { return o.help = true; }},
};
#undef KIND
// clang-format on

void add_options(CLI::App& app, ProveOptions& options, std::string& complaint) {
  for (const OptionRow& row : kOptions) {
    std::string name = fmt::format("--{}", row.name);
    if (row.value == nullptr) {
      if (std::string_view(row.name) == "help") name += ",-h";
      app.add_flag_callback(name, [&row, &options] { row.apply(options, ""); });
      continue;
    }
    app.add_option_function<std::string>(
        name, [&row, &options, &complaint](const std::string& text) {
          if (row.apply(options, text) || !complaint.empty()) return;
          complaint = fmt::format("--{}={} is not valid; give {}", row.name, text, row.range);
        });
  }
}

std::string usage_complaint(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    text = fmt::format("{} needs exactly one value", text.substr(0, text.find(':')));
  return fmt::format("{}; see heddle prove --help", text);
}

}  // namespace

Result<ProveRequest> parse_prove(std::span<const std::string> words) {
  ProveRequest request;
  request.options.check.order = SearchOrder::BreadthFirst;
  std::vector<std::string> rest =
      take_compile_flags(words, request.compile_flags, request.arguments);
  for (const std::string& word : rest)
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      return Error{fmt::format("{} needs a value; see heddle prove --help", word)};
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::string complaint;
  add_options(app, request.options, complaint);
  try {
    app.parse(std::vector<std::string>(rest.rbegin(), rest.rend()));  // as CLI11 wants it
  } catch (const CLI::ParseError& error) {
    return Error{usage_complaint(error)};
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.starts_with('-'))
      return Error{fmt::format("unknown option {}; see heddle prove --help", word)};
    request.inputs.push_back(word);
  }
  if (request.options.help) return request;
  if (!complaint.empty()) return Error{complaint};
  if (request.inputs.empty())
    return Error{"name source files or a program graph; see heddle prove --help"};
  if (std::optional<std::string> refused = explicit_states::refusal(request.options.check))
    return Error{*refused};
  return request;
}

std::string prove_help() {
  std::string text =
      "usage: heddle prove SOURCES [compiler flags] [options] [-- ARGUMENTS]\n"
      "       heddle prove FILE.graph [options]\n"
      "\n"
      "Makes a finite graph of the program's threads and explores all of its states, each once.\n"
      "Ends with a bug and the steps that lead to it, with the statement that there is none, or\n"
      "with what stands in the way of saying so. Memory is sequentially consistent.\n"
      "\n"
      "options:\n";
  for (const OptionRow& row : kOptions) {
    std::string left = fmt::format("--{}", row.name);
    if (row.value != nullptr) left += fmt::format("={}", row.value);
    text += fmt::format("  {}\n      {}", left, row.help);
    if (row.initial != nullptr)
      text += fmt::format("\n      {}; default: {}", row.range, row.initial);
    text += '\n';
  }
  return text +
         "\nexit status: 0 no bug in any execution, 1 a bug found, 2 an error of usage or\n"
         "environment, 3 undecided (a limit ended the search first, or the program does what the\n"
         "graph cannot say)\n";
}

}  // namespace heddle::prove
