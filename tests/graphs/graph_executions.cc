// graph_executions FILE.graph STRATEGY: how many executions and steps the search takes, and what it
// finds. What parity_test.py compares with the native search.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "explore/explorer.h"
#include "graph/text.h"
#include "interpreter/graph_executor.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"

using namespace heddle;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream file(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  graph::Program program;
  graph::TextError error;
  if (!graph::parse_text(text, program, error)) {
    fprintf(stderr, "%s:%s\n", argv[1], to_string(error).c_str());
    return 2;
  }
  RunOptions options;
  std::strncpy(options.strategy, argv[2], sizeof options.strategy - 1);
  MachineOptions machine;
  if (needs_attempts(options)) machine.blocking = Blocking::Attempt;
  machine.done_once_is_step = leaves_out_executions(options);
  GraphExecutor executor(program, machine);
  Explorer explorer(make_strategy(options), {.keep_going = true});
  ExploreObserver observer;
  explorer.run(executor, observer);
  printf("%lu %lu\n", explorer.executions(), explorer.events());
  for (const Finding& finding : explorer.findings())
    printf("%s\n", finding.failure.message.c_str());
  return 0;
}
