#include "cli/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "channel/channel.h"
#include "cli/compile_flags.h"
#include "cli/response_file.h"
#include "cli/strategy_names.h"
#include "model/finding_names.h"
#include "strategies/combinations.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

bool read_address(std::string_view text, uint64_t& address) {
  if (!text.starts_with("0x")) return false;
  text.remove_prefix(2);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  return error == std::errc() && end == text.data() + text.size() && address != 0;
}

// In megabytes (512, 512M) or gigabytes (6G).
bool read_size(std::string_view text, uint64_t& bytes) {
  constexpr uint64_t kMegabyte = uint64_t{1} << 20;
  const bool giga = text.ends_with('G');
  if (giga || text.ends_with('M')) text.remove_suffix(1);
  const uint64_t unit = giga ? kMegabyte << 10 : kMegabyte;
  uint64_t number = 0;
  if (!read<uint64_t>(text, 1, kMostMemory / unit, number)) return false;
  bytes = number * unit;
  return true;
}

template <size_t N>
bool set_text(std::string_view text, char (&field)[N]) {
  if (text.empty() || text.size() >= N) return false;
  std::memset(field, 0, N);
  std::memcpy(field, text.data(), text.size());
  return true;
}

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

OptionValues::Words names_of_strategies() {
  OptionValues::Words names;
  for (const StrategyInfo& strategy : strategies()) names.emplace_back(strategy.name);
  return names;
}

// clang-format off
#define KIND(enumerator, name, severity) " " name
constexpr OptionRow<CheckOptions> kOptions[] = {
    {"strategy", "NAME", "portfolio", {"a name listed by \"heddle strategies\"", names_of_strategies},
     "which schedules to try, and in which order; lua:FILE: as a script of yours says",
     [](CheckOptions& o, std::string_view t) {
       return set_text(without_strategy_file(t, o.scripts), o.run.strategy);
     }},
    {"bound", "N", "none", "a number from 0 to 1000000",
     "with icb and cb-por: stop after all executions with at most N preemptions; with\n"
     "      delays and switches: with at most N delays or context switches",
     [](CheckOptions& o, std::string_view t) { return read(t, 0, 1'000'000, o.run.bound); }},
    {"filter", "LIST", "none", "filters listed by \"heddle strategies\", with commas between",
     "with dfs and icb: states that need not be looked at; for example seen,depth:50, or\n"
     "      lua:FILE for a script of yours",
     [](CheckOptions& o, std::string_view t) {
       return set_text(without_filter_file(t, o.scripts), o.run.filters);
     }},
    {"order", "HOW", "depth", {"depth", "breadth", "random"},
     "with dfs: which state is explored next",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"depth", PickOrder::Depth}, {"breadth", PickOrder::Breadth},
                       {"random", PickOrder::Random}}, o.run.order);
     }},
    {"equivalence", "WHICH", "mazurkiewicz", {"mazurkiewicz", "reads-from"},
     "with optimal-dpor and the portfolio: which executions are the same, those that\n"
     "      differ in the order of independent steps only, or all in which every read sees\n"
     "      the same write",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"mazurkiewicz", Equivalence::Mazurkiewicz},
                       {"reads-from", Equivalence::ReadsFrom}}, o.run.equivalence);
     }},
    {"exact-states", nullptr, nullptr, nullptr,
     "with the filter seen: compare states in full, and report hash collisions",
     [](CheckOptions& o, std::string_view) { return o.run.exact_states = true; }},
    {"visible", "WHAT", "sync", {"sync", "all"},
     "where threads may be switched: at synchronisation only, or at every memory\n"
     "      access too (needs a program compiled by heddle)",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"sync", Visible::Sync}, {"all", Visible::All}}, o.run.visible);
     }},
    {"races", "HOW", "report", {"report", "explore", "off"},
     "data races of code compiled by heddle: report them; report them and search their\n"
     "      outcomes, too, by switching threads at the memory in question; do not look for\n"
     "      them",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"report", Races::Report}, {"explore", Races::Explore}, {"off", Races::Off}}, o.run.races);
     }},
    {"suppressions", "FILE", "none", "a file in ThreadSanitizer's format",
     "what is known and need not be reported: race:PATTERN, race_top:PATTERN,\n"
     "      mutex:PATTERN or deadlock:PATTERN, one per line",
     [](CheckOptions& o, std::string_view t) {
       o.suppressions = t;
       return o.run.judges_races = !t.empty();
     }},
    {"properties", "FILE", "none", "a file that names one function per line",
     "functions of the program, without arguments and returning bool, that must return\n"
     "      true in every state; a sentence may stand behind each name, # begins a comment",
     [](CheckOptions& o, std::string_view t) {
       o.properties = t;
       return !t.empty();
     }},
    {"memory", "HOW", "report", {"report", "off"},
     "uses of freed memory, accesses beside a heap block or to the stack of an ended\n"
     "      thread (of code compiled by heddle): report them, or do not look for them",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"report", true}, {"off", false}}, o.run.memory_errors);
     }},
    {"leaks", "HOW", "report", {"report", "off"},
     "memory that nothing refers to when the program ends: report it, or do not look\n"
     "      for it",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"report", true}, {"off", false}}, o.run.leaks);
     }},
    {"blocked-at-exit", "HOW", "report", {"report", "off"},
     "threads that are blocked for good when the program ends, unless they are detached:\n"
     "      report them, or do not look for them",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"report", true}, {"off", false}}, o.run.blocked_at_exit);
     }},
    {"isolation", "HOW", "reset", {"reset", "fork"},
     "between executions, rewind the program's memory, or run each in a process of\n"
     "      its own (slower; for programs that cannot be rewound)",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"reset", Isolation::Reset}, {"fork", Isolation::Fork}}, o.run.isolation);
     }},
    {"scratch", "DIRECTORIES", "none; --scratch alone is --scratch=.", "directories, with commas between",
     "let the program work on a private copy of these directories, which every execution\n"
     "      finds as they are now; nothing that it writes there lasts",
     [](CheckOptions& o, std::string_view t) {
       o.scratch = t;
       return !t.empty();
     }},
    {"timeouts", "WHEN", "explore", {"explore", "last", "never"},
     "when waits with a deadline time out: at any moment, only where no thread can go on\n"
     "      otherwise, or never",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"explore", Timeouts::Explore}, {"last", Timeouts::Last},
                       {"never", Timeouts::Never}}, o.run.timeouts);
     }},
    {"early-timeouts", "N", "1", "a number from 0 to 1000000",
     "with --timeouts=explore: how often each thread may time out in an execution while\n"
     "      others can still go on",
     [](CheckOptions& o, std::string_view t) {
       return read<uint32_t>(t, 0, 1'000'000, o.run.early_timeouts);
     }},
    {"spurious", nullptr, nullptr, nullptr,
     "a wait for a condition may end without a signal, once in each thread and execution",
     [](CheckOptions& o, std::string_view) { return (o.run.spurious = 1) != 0; }},
    {"volatile", "HOW", "plain", {"plain", "relaxed"},
     "what accesses to volatile variables are: plain ones, which may race, or relaxed atomic\n"
     "      operations; switches are possible before them in any case",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"plain", Volatiles::Plain}, {"relaxed", Volatiles::Relaxed}},
                   o.run.volatiles);
     }},
    {"spin-loops", "HOW", "wait", {"wait", "unroll"},
     "threads that wait in a loop which changes nothing: let them wait until another\n"
     "      thread changes something, or let them go round and round",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"wait", false}, {"unroll", true}}, o.run.unroll_loops);
     }},
    {"checkpoints", "HOW", "auto", {"auto", "never", "always"},
     "begin executions in the middle, in copies of a process that stands there, instead of\n"
     "      repeating what they have in common: where that is quicker, never, or wherever it is\n"
     "      possible",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"auto", Checkpoints::Auto},
                       {"never", Checkpoints::Never},
                       {"always", Checkpoints::Always}}, o.run.checkpoints);
     }},
    {"blocking", "HOW", "wait; always attempt for the portfolio, dpor and its relatives", {"wait", "attempt"},
     "threads at a descriptor that is not ready: not enabled, or trying, failing and being\n"
     "      woken for another try",
     [](CheckOptions& o, std::string_view t) {
       return pick(t, {{"wait", Blocking::Wait}, {"attempt", Blocking::Attempt}}, o.run.blocking);
     }},
    {"max-executions", "N", "none; 10000 for strategies that sample", "a number from 1",
     "end the search after N executions",
     [](CheckOptions& o, std::string_view t) {
       return read<uint64_t>(t, 1, kMost, o.run.max_executions);
     }},
    {"max-steps", "N", "100000", "a number from 1",
     "cut executions off after N steps, undecided; one that goes in circles when every thread\n"
     "      then has its turn is reported as a livelock",
     [](CheckOptions& o, std::string_view t) {
       return read<uint64_t>(t, 1, kMost, o.run.max_steps);
     }},
    {"time", "SECONDS", "none", "a number of seconds above 0",
     "end the search after this time",
     [](CheckOptions& o, std::string_view t) { return read(t, 1e-3, kYear, o.time_limit); }},
    {"jobs", "N", "1", "a number from 1 to 256",
     "search in N processes at the same time once the search has gone on for a while; also -j N",
     [](CheckOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 256, o.processes); }},
    {"session", "FILE", "none", "the name of a file that is not there yet",
     "keep what the search comes to in this file, so that \"heddle resume FILE\" goes on with it\n"
     "      whatever ends it before; for searches that can be divided (-j)",
     [](CheckOptions& o, std::string_view t) {
       o.session = t;
       return !t.empty();
     }},
    {"memory-limit", "SIZE", "three quarters of what the machine or the control group has", "a number of megabytes, or one of gigabytes with a G behind it, up to 56G",
     "end the search when it and the program take more memory than this",
     [](CheckOptions& o, std::string_view t) { return read_size(t, o.memory_limit); }},
    {"seed", "N", "1", "a number from 0",
     "for strategies that sample: the same seed gives the same schedules",
     [](CheckOptions& o, std::string_view t) { return read<uint64_t>(t, 0, kMost, o.run.seed); }},
    {"pct-depth", "N", "3", "a number from 1 to 1000",
     "for pct: the number of ordering constraints a bug may need",
     [](CheckOptions& o, std::string_view t) {
       return read<uint32_t>(t, 1, 1000, o.run.pct_depth);
     }},
    {"keep-going", nullptr, nullptr, nullptr,
     "go on after the first bug and report all of them",
     [](CheckOptions& o, std::string_view) { return o.run.keep_going = true; }},
    {"ignore", "KINDS", "none", {"kinds of findings with commas between, of:" HEDDLE_FINDING_KINDS(KIND), finding_kind_names},
     "findings of these kinds do not count, so that one can look for the others; \"race\" is\n"
     "      short for data-race",
     [](CheckOptions& o, std::string_view t) {
       const std::optional<FindingKinds> kinds = finding_kinds_from_list(t);
       if (kinds) o.run.ignored = *kinds;
       return kinds.has_value();
     }},
    {"max-threads", "N", "4095", "a number from 1 to 4095",
     "leave executions out that start more than N threads, from that point on",
     [](CheckOptions& o, std::string_view t) {
       return read<uint32_t>(t, 1, 4095, o.run.max_threads);
     }},
    {"minimise", "SECONDS", "a tenth of the search's time, from 1 to 10 seconds", "a number of seconds from 0",
     "how long to look for simpler executions that show the bugs, and for their causes",
     [](CheckOptions& o, std::string_view t) { return read(t, 0.0, kYear, o.run.minimise); }},
    {"watchdog", "SECONDS", "10", "a number of seconds above 0",
     "how long a thread may do without a visible action, in processor time if it runs",
     [](CheckOptions& o, std::string_view t) { return read(t, 1e-3, kYear, o.watchdog); }},
    {"entry", "ADDRESS", "main", "an address of the program's code, as 0x1234",
     "which function to run in the place of main; heddle::check uses it",
     [](CheckOptions& o, std::string_view t) { return read_address(t, o.run.entry); }},
    {"cc", "COMPILER", "gcc", {"gcc", "clang"},
     "which compiler to use for sources",
     [](CheckOptions& o, std::string_view t) {
       return pick<std::string>(t, {{"gcc", "gcc"}, {"clang", "clang"}}, o.compiler);
     }},
    {"trace-dir", "DIR", ".", "a directory",
     "where to write trace files",
     [](CheckOptions& o, std::string_view t) {
       o.trace_directory = t;
       return !t.empty();
     }},
    {"coverage", "FILE", "none", "a file name",
     "count distinct states and ends of executions, and write the counts as CSV;\n"
     "      \"heddle plot\" draws them",
     [](CheckOptions& o, std::string_view t) {
       o.coverage_file = t;
       return o.run.coverage = !t.empty();
     }},
    {"output", "KIND[:FILE]", "text", kOutputValues,
     "the format of the report, and where it goes if not to standard output; may be repeated",
     [](CheckOptions& o, std::string_view t) { return add_output(t, o.output.outputs); }, true},
    {"html", "FILE", "none", "a file, or a directory to write PROGRAM.html into",
     "short for --output=html:FILE: a page to step through each bug with, for any browser",
     [](CheckOptions& o, std::string_view t) { return add_html(t, o.output.outputs); }},
    {"json", nullptr, nullptr, nullptr,
     "short for --output=json: one JSON document instead of the report",
     [](CheckOptions& o, std::string_view) { return add_output("json", o.output.outputs); }},
    {"full", nullptr, nullptr, nullptr,
     "show every step of an execution, also those that concern no other thread",
     [](CheckOptions& o, std::string_view) { return o.output.full = true; }},
    {"quiet", nullptr, nullptr, nullptr,
     "print one line per bug and the verdict only",
     [](CheckOptions& o, std::string_view) { return o.output.quiet = true; }},
    {"help", nullptr, nullptr, nullptr,
     "print this text", nullptr},
};
#undef KIND
// clang-format on

Result<CheckRequest> with_defaults(CheckRequest request) {
  RunOptions& run = request.options.run;
  if (std::string complaint = strategy_complaint(run.strategy); !complaint.empty())
    return Error{complaint};
  if (run.bound >= 0 && !takes_bound(run.strategy))
    return Error{fmt::format("--bound has no meaning for the strategy {}; use one of {}",
                             run.strategy, strategies_with_bound())};
  if (std::optional<Error> error = read_scripts(request.options.scripts, run)) return *error;
  if (std::string complaint = refusal(run); !complaint.empty()) return Error{complaint};
  if (std::optional<Error> error = load_scripts(run)) return *error;
  if (std::string complaint = output_complaint(request.options.output.outputs); !complaint.empty())
    return Error{complaint};
  // What does not count need not be looked for.
  if (contains(run.ignored, FindingKind::DataRace)) run.races = Races::Off;
  if (contains(run.ignored, FindingKind::Leak)) run.leaks = false;
  if (contains(run.ignored, FindingKind::LostWakeup)) run.blocked_at_exit = false;
  if (needs_attempts(run)) run.blocking = Blocking::Attempt;
  run.sees_done_once = leaves_out_executions(run);
  if (is_sampler(run.strategy) && run.max_executions == 0 && request.options.time_limit == 0)
    run.max_executions = 10'000;
  return request;
}

// But for the program's own arguments.
std::vector<std::string> with_response_files(std::span<const std::string> words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> result = expand_response_files({words.begin(), end});
  result.insert(result.end(), end, words.end());
  return result;
}

}  // namespace

namespace {

// -j N and -jN, as of make, for --jobs=N.
std::vector<std::string> with_jobs_in_full(std::span<const std::string> words) {
  std::vector<std::string> full;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      full.insert(full.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
      break;
    }
    if (word == "-j")
      full.push_back("--jobs=" + (i + 1 < words.size() ? words[++i] : ""));
    else if (word.starts_with("-j") && word.find_first_not_of("0123456789", 2) == word.npos)
      full.push_back("--jobs=" + word.substr(2));
    else
      full.push_back(word);
  }
  return full;
}

}  // namespace

Result<CheckRequest> parse_check(std::span<const std::string> words, Inputs inputs) {
  CheckRequest request;
  const std::vector<std::string> expanded = with_jobs_in_full(with_response_files(words));
  request.words = expanded;
  std::vector<std::string> rest =
      take_compile_flags(expanded, request.compile_flags, request.arguments);
  std::replace(rest.begin(), rest.end(), std::string("--scratch"), std::string("--scratch=."));
  Result<Arguments> arguments = parse_options(
      rest, "check", options_into(OptionTable<CheckOptions>(kOptions), request.options));
  if (!arguments) return arguments.error();
  request.options.help = arguments->help;
  request.inputs = arguments->words;
  if (request.options.help) return request;
  if (request.inputs.empty() && inputs == Inputs::Needed)
    return Error{"name a program or source files to check; see heddle check --help"};
  return with_defaults(std::move(request));
}

std::vector<OptionInfo> check_option_list() {
  return list_of(OptionTable<CheckOptions>(kOptions));
}

namespace {

constexpr std::string_view kOfResume[] = {"jobs", "time", "memory-limit", "trace-dir", "output",
                                          "html", "json", "full",         "quiet"};

std::vector<OptionRow<CheckOptions>> resume_rows() {
  std::vector<OptionRow<CheckOptions>> rows;
  for (const OptionRow<CheckOptions>& row : kOptions)
    if (std::find(std::begin(kOfResume), std::end(kOfResume), row.name) != std::end(kOfResume))
      rows.push_back(row);
  return rows;
}

}  // namespace

Result<Arguments> parse_resume(std::span<const std::string> words, CheckOptions& options) {
  const std::vector<OptionRow<CheckOptions>> rows = resume_rows();
  const std::vector<Output> then = std::exchange(options.output.outputs, {});
  Result<Arguments> rest = parse_options(with_jobs_in_full(words), "resume",
                                         options_into(OptionTable<CheckOptions>(rows), options));
  if (!rest) return rest;
  if (options.output.outputs.empty()) options.output.outputs = then;
  if (std::string complaint = output_complaint(options.output.outputs); !complaint.empty())
    return Error{complaint};
  return rest;
}

std::string resume_options_help() {
  return help_of(OptionTable<CheckOptions>(resume_rows()));
}

std::vector<OptionInfo> resume_option_list() {
  return list_of(OptionTable<CheckOptions>(resume_rows()));
}

std::string check_help() {
  std::string text =
      "usage: heddle check PROGRAM [options] [-- ARGUMENTS]\n"
      "       heddle check SOURCES [compiler flags] [options] [-- ARGUMENTS]\n"
      "       heddle check [options]     the targets of .heddle.toml, here or in a folder above\n"
      "\n"
      "Runs a multithreaded program under every schedule (or those the strategy chooses) and\n"
      "reports deadlocks, failed assertions, crashes and the like, each with a trace file that\n"
      "\"heddle replay\" runs again.\n"
      "\n"
      "Sources end in .c, .cc, .cpp, .cxx, .c++ or .C. Flags of the compiler and the linker are "
      "passed\n"
      "on, but for those that decide what it makes (-c -E -S -o -shared -static); @FILE stands for "
      "the\n"
      "words in a file. Without -O, -O1 is used.\n"
      "\n";
  return text + help_of(OptionTable<CheckOptions>(kOptions)) +
         "\nexit status: 0 nothing found and the guarantee reached, 1 a bug found, 2 an error of\n"
         "usage or environment, 3 undecided (a limit ended the search first)\n";
}

}  // namespace heddle
