#include "graph/threads.h"

#include <algorithm>
#include <vector>

namespace heddle::graph {
namespace {

// Whether a path leads from the block back to it.
bool in_cycle(const Routine& routine, uint32_t block) {
  std::vector<bool> seen(routine.blocks.size());
  std::vector<uint32_t> todo{block};
  while (!todo.empty()) {
    const Jump& jump = routine.blocks[todo.back()].jump;
    todo.pop_back();
    for (BlockId next : {jump.then, jump.otherwise}) {
      if (next == kNoBlock) continue;
      if (index(next) == block) return true;
      if (!seen[index(next)]) todo.push_back(index(next));
      seen[index(next)] = true;
    }
  }
  return false;
}

// How many threads come from one that runs the routine, itself included.
class Counter {
 public:
  explicit Counter(const Program& program)
      : program_(program), counts_(program.routines.size()), open_(program.routines.size()) {}

  uint32_t count(uint32_t number) {
    if (open_[number]) return kMany;
    if (counts_[number] != 0) return counts_[number];
    open_[number] = true;
    uint32_t sum = 1;
    const Routine& routine = program_.routines[number];
    for (uint32_t b = 0; b < routine.blocks.size(); ++b) {
      const Action& action = routine.blocks[b].action;
      if (action.kind != ActionKind::Create) continue;
      const uint32_t created = count(index(action.routine));
      sum = std::min(kMany, sum + (in_cycle(routine, b) ? kMany : created));
    }
    open_[number] = false;
    return counts_[number] = sum;
  }

 private:
  const Program& program_;
  std::vector<uint32_t> counts_;
  std::vector<bool> open_;
};

}  // namespace

ThreadCount count_threads(const Program& program) {
  ThreadCount result;
  result.most = Counter(program).count(0);
  std::vector<bool> creates(program.routines.size()), created(program.routines.size());
  for (uint32_t r = 0; r < program.routines.size(); ++r)
    for (const Block& block : program.routines[r].blocks)
      if (block.action.kind == ActionKind::Create) {
        creates[r] = true;
        created[index(block.action.routine)] = true;
      }
  result.creates_main = created[0];
  for (uint32_t r = 0; r < program.routines.size(); ++r)
    result.children_create = result.children_create || (creates[r] && created[r]);
  return result;
}

}  // namespace heddle::graph
