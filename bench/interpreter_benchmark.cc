// How fast the interpreter of program graphs is: states taken per second, without a store, and with
// the simplest one (a set of 64-bit hashes).
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "graph/text.h"
#include "interpreter/graph_space.h"

namespace heddle {
namespace {

graph::Program example(const std::string& name, const std::string& from, const std::string& to) {
  std::ifstream file(std::string(HEDDLE_GRAPH_EXAMPLES) + "/" + name);
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  if (const size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  graph::Program program;
  graph::TextError error;
  if (!parse_text(text, program, error)) fprintf(stderr, "%s\n", to_string(error).c_str());
  return program;
}

graph::Program filesystem() {
  return example("filesystem.graph", "busy: 1", "busy: 1");
}
graph::Program philosophers() {
  return example("philosophers.graph", "round != 1", "round != 3");
}

uint64_t hash_of(const uint8_t* state, size_t bytes) {
  uint64_t hash = bytes;
  for (; bytes >= 8; bytes -= 8, state += 8) {
    uint64_t word;
    memcpy(&word, state, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  uint64_t rest = 0;
  memcpy(&rest, state, bytes);
  hash = (hash ^ rest) * 0x9e3779b97f4a7c15;
  return (hash ^ hash >> 29) | 1;
}

// Depth first, each state once, by its hash.
void all_states(benchmark::State& run, graph::Program (*make)(), uint32_t table_bits) {
  GraphSpace space(make());
  const size_t size = space.state_size();
  const size_t table_size = size_t{1} << table_bits;
  uint64_t states = 0, steps = 0;
  std::vector<uint64_t> table(table_size);
  for (auto _ : run) {
    std::fill(table.begin(), table.end(), 0);
    std::vector<uint8_t> stack(size), next(size), state(size);
    space.initial(stack.data());
    std::vector<Move> moves;
    uint64_t found = 0;
    while (!stack.empty()) {
      memcpy(state.data(), stack.data() + stack.size() - size, size);
      stack.resize(stack.size() - size);
      space.moves(state.data(), moves);
      for (const Move move : moves) {
        ++steps;
        if (space.take(state.data(), move, next.data()) != Outcome::Running) continue;
        const uint64_t hash = hash_of(next.data(), size);
        size_t at = hash >> (64 - table_bits);
        while (table[at] != 0 && table[at] != hash) at = (at + 1) & (table_size - 1);
        if (table[at] == hash) continue;
        table[at] = hash;
        ++found;
        stack.insert(stack.end(), next.begin(), next.end());
      }
    }
    states += found;
  }
  run.counters["states"] =
      benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
  run.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  run.counters["bytes"] = static_cast<double>(size);
  run.counters["distinct"] = static_cast<double>(states) / static_cast<double>(run.iterations());
}
// The same steps over and over: along one way, without any store.
void steps_alone(benchmark::State& run, graph::Program (*make)()) {
  GraphSpace space(make());
  std::vector<uint8_t> first(space.state_size()), state(space.state_size());
  space.initial(first.data());
  std::vector<Move> moves;
  uint64_t steps = 0, pick = 1;
  for (auto _ : run) {
    memcpy(state.data(), first.data(), first.size());
    for (Outcome outcome = Outcome::Running; outcome == Outcome::Running; ++steps) {
      space.moves(state.data(), moves);
      if (moves.empty()) break;
      pick = pick * 6364136223846793005 + 1442695040888963407;
      outcome = space.take(state.data(), moves[(pick >> 33) % moves.size()], state.data());
    }
  }
  run.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(steps_alone, filesystem, filesystem);
BENCHMARK_CAPTURE(steps_alone, philosophers, philosophers);
BENCHMARK_CAPTURE(all_states, filesystem, filesystem, 17)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_states, philosophers, philosophers, 23)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle
