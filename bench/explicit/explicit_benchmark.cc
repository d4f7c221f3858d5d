// Searches all states of a program graph and prints what that took, as one line of JSON.
//
//   explicit_benchmark FILE [order=dfs|bfs] [reduction=none|stubborn|transactions]
//                           [storage=exact|hash|bits] [preemptions=N] [states=N] [megabytes=N]
#include <sys/resource.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "explicit/check.h"
#include "graph/check.h"
#include "graph/text.h"
#include "interpreter/graph_space.h"

namespace {

using namespace heddle;
using namespace heddle::explicit_states;

const std::map<std::string_view, SearchOrder> kOrders = {{"dfs", SearchOrder::DepthFirst},
                                                         {"bfs", SearchOrder::BreadthFirst}};
const std::map<std::string_view, ReductionKind> kReductions = {
    {"none", ReductionKind::None},
    {"stubborn", ReductionKind::Stubborn},
    {"transactions", ReductionKind::Transactions}};
const std::map<std::string_view, Storage> kStorages = {
    {"exact", Storage::Exact}, {"hash", Storage::HashCompact}, {"bits", Storage::Bitstate}};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "explicit_benchmark: %s\n", why.c_str());
  std::exit(2);
}

template <typename Table>
auto look_up(const Table& table, std::string_view value) {
  const auto found = table.find(value);
  if (found == table.end()) refuse("there is no " + std::string(value));
  return found->second;
}

void set(CheckOptions& options, std::string_view argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string_view::npos) refuse("what is " + std::string(argument) + "?");
  const std::string_view name = argument.substr(0, equals);
  const std::string_view value = argument.substr(equals + 1);
  const auto number = [&] { return std::strtoull(value.data(), nullptr, 10); };
  if (name == "order") {
    options.order = look_up(kOrders, value);
  } else if (name == "reduction") {
    options.reduction = look_up(kReductions, value);
  } else if (name == "storage") {
    options.storage = look_up(kStorages, value);
  } else if (name == "preemptions") {
    options.max_preemptions = static_cast<uint32_t>(number());
  } else if (name == "states") {
    options.max_states = number();
  } else if (name == "megabytes") {
    options.memory_limit = uint64_t{number()} << 20;
  } else {
    refuse("there is no option " + std::string(name));
  }
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) refuse("no program graph is given");
  std::ifstream file(arguments[1]);
  if (!file) refuse(std::string(arguments[1]) + " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  graph::Program program;
  graph::TextError error;
  if (!graph::parse_text(text.str(), program, error)) refuse(error.message);
  if (const auto problems = graph::problems_of(program); !problems.empty()) refuse(problems[0]);
  CheckOptions options;
  options.keep_going = true;
  for (int i = 2; i < count; ++i) set(options, arguments[i]);
  if (const auto why = refusal(options)) refuse(*why);
  GraphSpace space(std::move(program));
  const double before = cpu_seconds();
  const CheckResult result = check(space, options);
  const double took = cpu_seconds() - before;
  if (!result.coverage.beyond.empty()) refuse("it goes beyond: " + result.coverage.beyond[0]);
  std::printf(
      "{\"states\": %llu, \"transitions\": %llu, \"seconds\": %.3f, \"bytes\": %llu, "
      "\"state_size\": %zu, \"complete\": %s, \"findings\": %zu, \"deepest\": %llu, "
      "\"by_preemptions\": [",
      static_cast<unsigned long long>(result.states),
      static_cast<unsigned long long>(result.transitions), took,
      static_cast<unsigned long long>(result.bytes), space.state_size(),
      result.coverage.incomplete == Incomplete::No ? "true" : "false", result.findings.size(),
      static_cast<unsigned long long>(result.deepest));
  for (size_t i = 0; i < result.states_by_preemptions.size(); ++i) {
    std::printf("%s%llu", i == 0 ? "" : ", ",
                static_cast<unsigned long long>(result.states_by_preemptions[i]));
  }
  std::printf("]}\n");
  return 0;
}
