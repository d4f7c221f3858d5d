#include "prove/options.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string_view>

#include "cli/compile_flags.h"
#include "cli/option_table.h"
#include "model/finding_names.h"

namespace heddle::prove {
namespace {

using explicit_states::ReductionKind;
using explicit_states::SearchOrder;
using explicit_states::Storage;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
constexpr double kYear = 365 * 86400.0;
constexpr uint64_t kMegabyte = uint64_t{1} << 20;

bool pick_engine(std::string_view text, EngineChoice& choice) {
  if (pick(text,
           {{"explicit", EngineChoice::Mode::Explicit},
            {kEventsEngine, EngineChoice::Mode::Events},
            {"portfolio", EngineChoice::Mode::Portfolio}},
           choice.mode))
    return true;
  for (const symbolic::Engine& row : symbolic::engines()) {
    if (row.name != text) continue;
    choice = {EngineChoice::Mode::One, row.kind};
    return true;
  }
  return false;
}

// What speaks of stored states has no meaning for a circuit.
std::optional<std::string> engine_refusal(const ProveOptions& options) {
  const bool events = options.engine.mode == EngineChoice::Mode::Events;
  const bool circuit = events || options.engine.mode == EngineChoice::Mode::One ||
                       options.engine.mode == EngineChoice::Mode::Portfolio;
  if (!circuit && options.depth != symbolic::kAnyDepth)
    return "--depth is for engines over a circuit; name one with --engine";
  if (!circuit) return std::nullopt;
  if (options.check.storage != Storage::Exact) return "--storage is for --engine=explicit";
  if (options.check.max_preemptions) return "--bound is for --engine=explicit";
  if (!options.ltl.empty()) return "--ltl is for --engine=explicit";
  if (events && options.depth != symbolic::kAnyDepth)
    return "--depth is for engines over a circuit, which --engine=events has not";
  if (events && options.check.reduction != ReductionKind::None)
    return "--engine=events looks at each order of events once; leave out --reduction";
  if (options.engine.mode == EngineChoice::Mode::One &&
      options.engine.kind == symbolic::EngineKind::BmcOnce && options.depth == symbolic::kAnyDepth)
    return "--engine=bmc-once needs --depth=N";
  return std::nullopt;
}

// clang-format off
#define ENGINE(kind, name, function, delay, summary) name,
#define ENGINE_HELP(kind, name, function, delay, summary) "\n      " name ": " summary
#define KIND(enumerator, name, severity) " " name
constexpr OptionRow<ProveOptions> kOptions[] = {
    {"engine", "WHICH", "explicit, or portfolio where inputs have more than 8 bits",
     {"explicit", HEDDLE_ENGINES(ENGINE) "events", "portfolio"},
     "who searches: the states of the graph one by one (explicit), or all schedules and\n"
     "      inputs of a circuit at once:" HEDDLE_ENGINES(ENGINE_HELP) "\n"
     "      events: not a circuit, but all orders of the events of threads whose loops are\n"
     "      unrolled, more and more rounds; proves programs whose loops end\n"
     "      portfolio: several of these side by side, the first answer counts",
     [](ProveOptions& o, std::string_view t) { return pick_engine(t, o.engine); }},
    {"depth", "N", "none", "a number from 0 to 1000000",
     "engines over a circuit: look at its first N steps only; without a bug the verdict is\n"
     "      unknown then, unless every execution has ended",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 0, 1'000'000, o.depth); }},
    {"order", "HOW", "breadth", {"depth", "breadth"},
     "in which order states are explored; breadth finds shortest counterexamples",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"depth", SearchOrder::DepthFirst}, {"breadth", SearchOrder::BreadthFirst}},
                   o.check.order);
     }},
    {"reduction", "WHICH", "none", {"none", "stubborn", "transactions"},
     "leave out steps that need not be tried from a state: by stubborn sets, with the\n"
     "      static relation or with patterns of lock acquisition (transactions); of a circuit:\n"
     "      constraints on its scheduler",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"none", ReductionKind::None}, {"stubborn", ReductionKind::Stubborn},
                       {"transactions", ReductionKind::Transactions}}, o.check.reduction);
     }},
    {"storage", "HOW", "exact", {"exact", "compact", "bitstate"},
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
    {"races", "HOW", "report", {"report", "off"},
     "data races: report them, or do not look for them",
     [](ProveOptions& o, std::string_view t) {
       return pick(t, {{"report", true}, {"off", false}}, o.races);
     }},
    {"overflow", nullptr, nullptr, nullptr,
     "signed overflow and shifts by too many bits are bugs",
     [](ProveOptions& o, std::string_view) { return o.overflow = true; }},
    {"ignore", "KINDS", "none", {"kinds of findings with commas between, of:" HEDDLE_FINDING_KINDS(KIND), finding_kind_names},
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
    {"ltl", "FORMULA", "none", "a formula of linear temporal logic",
     "look for an execution that breaks the formula, and for nothing else: G F X U R W ! &&\n"
     "      || -> <-> over global integers (turn == 1), at(THREAD, LINE) and live(THREAD)",
     [](ProveOptions& o, std::string_view t) {
       o.ltl = t;
       return !t.empty();
     }},
    {"fair", nullptr, nullptr, nullptr,
     "with --ltl: a thread that could go on all the time does so, sooner or later",
     [](ProveOptions& o, std::string_view) { return o.fair = true; }},
    {"max-threads", "N", "16", "a number from 1 to 64",
     "threads of one execution, main included; one that starts more is not followed\n"
     "      further, and the verdict unknown",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 64, o.max_threads); }},
    {"unwind", "N", "8", "a number from 1 to 1000",
     "calls of a function within itself; likewise (loops need no bound)",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 1000, o.unwind); }},
    {"allocations", "N", "8", "a number from 1 to 10000",
     "blocks that one thread allocates at one place in a loop, and elements of a block whose\n"
     "      size is not constant (32 at most); likewise",
     [](ProveOptions& o, std::string_view t) { return read<uint32_t>(t, 1, 10'000, o.allocations); }},
    {"confirm", "HOW", "natively", {"natively", "no"},
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
    {"aiger", "FILE", "none", "a file",
     "write the program as a sequential circuit, with what is asked of it, in the format of\n"
     "      hardware model checkers (binary AIGER 1.9), and do nothing else",
     [](ProveOptions& o, std::string_view t) {
       o.aiger = t;
       return !t.empty();
     }},
    {"witness", "FILE", "none", "a file",
     "write what a validator of SV-COMP needs (GraphML, format 1.0): the way to the bug, or\n"
     "      that there is none; nothing where the verdict is unknown",
     [](ProveOptions& o, std::string_view t) {
       o.witness = t;
       return !t.empty();
     }},
    {"json", nullptr, nullptr, nullptr,
     "one JSON document instead of the report",
     [](ProveOptions& o, std::string_view) { return o.json = true; }},
    {"quiet", nullptr, nullptr, nullptr,
     "print one line per bug and the verdict only",
     [](ProveOptions& o, std::string_view) { return o.quiet = true; }},
    {"help", nullptr, nullptr, nullptr,
     "print this text", nullptr},
};
#undef KIND
#undef ENGINE
#undef ENGINE_HELP
// clang-format on

}  // namespace

Result<ProveRequest> parse_prove(std::span<const std::string> words) {
  ProveRequest request;
  request.options.check.order = SearchOrder::BreadthFirst;
  std::vector<std::string> rest =
      take_compile_flags(words, request.compile_flags, request.arguments);
  Result<Arguments> arguments = parse_options(
      rest, "prove", options_into(OptionTable<ProveOptions>(kOptions), request.options));
  if (!arguments) return arguments.error();
  request.options.help = arguments->help;
  request.inputs = arguments->words;
  if (request.options.help) return request;
  if (request.inputs.empty())
    return Error{"name source files or a program graph; see heddle prove --help"};
  if (request.options.fair && request.options.ltl.empty())
    return Error{"--fair is about temporal properties; name one with --ltl"};
  if (!request.options.ltl.empty())
    request.options.check.temporal = {request.options.ltl, request.options.fair
                                                               ? explicit_states::Fairness::Weak
                                                               : explicit_states::Fairness::None};
  if (std::optional<std::string> refused = explicit_states::refusal(request.options.check))
    return Error{*refused};
  if (std::optional<std::string> refused = engine_refusal(request.options)) return Error{*refused};
  return request;
}

std::string prove_help() {
  std::string text =
      "usage: heddle prove SOURCES [compiler flags] [options] [-- ARGUMENTS]\n"
      "       heddle prove FILE.graph [options]\n"
      "\n"
      "Makes a finite graph of the program's threads and explores all of its states, each once,\n"
      "or a circuit, whose schedules and inputs are checked all at once (--engine).\n"
      "Ends with a bug and the steps that lead to it, with the statement that there is none, or\n"
      "with what stands in the way of saying so. Memory is sequentially consistent.\n"
      "\n";
  return text + help_of(OptionTable<ProveOptions>(kOptions)) +
         "\nexit status: 0 no bug in any execution, 1 a bug found, 2 an error of usage or\n"
         "environment, 3 undecided (a limit ended the search first, or the program does what the\n"
         "graph cannot say)\n";
}

}  // namespace heddle::prove
