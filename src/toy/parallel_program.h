// Random programs whose threads are all live from the beginning.
#pragma once

#include "base/random.h"
#include "toy/generator.h"

namespace heddle::toy {

// A random program without its spawns and joins.
inline Program random_parallel_program(uint64_t seed) {
  Program program = random_program(seed);
  for (Script& script : program.threads)
    std::erase_if(
        script, [](const Instruction& i) { return i.code == Code::Spawn || i.code == Code::Join; });
  program.initially_live = static_cast<uint32_t>(program.threads.size());
  return program;
}

// Two or three threads of few instructions that nearly all conflict: many classes of executions,
// few of each.
inline Program random_dense_program(uint64_t seed) {
  Random random(seed);
  const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random.below(n)); };
  Program program;
  program.initially_live = 2 + below(2);
  for (uint32_t thread = 0; thread < program.initially_live; ++thread) {
    Script script;
    for (uint32_t pieces = program.initially_live == 2 ? 4 : 2; pieces > 0; --pieces) {
      const uint32_t variable = below(2);
      const Script kinds[] = {{load(below(2), variable)},
                              {store(variable, static_cast<int32_t>(below(3)))},
                              {add(below(2), variable, 1)},
                              {load(0, variable), skip_unless(0, 0, 1), store(variable, 5)},
                              {lock(0), store(variable, 7), unlock(0)},
                              {lock(0), wait(0, 0), unlock(0)},
                              {lock(variable), lock(1 - variable), unlock(0), unlock(1)},
                              {signal(0)},
                              {broadcast(0)},
                              {try_lock(1, 1), skip_unless(1, 1, 1), unlock(1)},
                              {choose(0, 2), skip_unless(0, 1, 1), signal(0)},
                              {yield(), add(1, variable, 2)}};
      const Script& piece = kinds[below(std::size(kinds))];
      script.insert(script.end(), piece.begin(), piece.end());
    }
    program.threads.push_back(std::move(script));
  }
  return program;
}

}  // namespace heddle::toy
