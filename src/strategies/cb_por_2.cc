// Context-bounded partial-order reduction, improved algorithm.
//
// Problem. cb-por-1 visits every prefix of every class within the bound; what shows bugs are the
// ends. See each end once, and nothing else.
//
// Idea (Musuvathi, Qadeer, MSR-TR-2007-12, algorithm 2). A state is closed when all ends within the
// bound that can be reached from it have been reached. Search (cb_por_search.cc) goes on to open
// states only. At each end, Mark closes the end, and then every state of which all steps within the
// bound lead to closed states, going backwards from state to predecessor. These are prefixes of the
// end, most of which no execution went through; partial_order.h tells what is enabled in them. An
// open state always has an open successor (theorem 4), so no execution is abandoned.
//
// Where we deviate.
//  * Mark works from a list instead of recursively; the states it closes are the same, since it
//    looks at a state again whenever one of its successors is closed.
//  * An execution that ends in a failure has only one predecessor, the state before the failing
//    step: had that step come earlier, the execution would have ended earlier.
//  * Where it is not known whether a thread is enabled in a prefix, or how many alternatives it
//    has, the prefix stays open. The search may then run into it, find nothing open beyond, and
//    abandon the execution: that costs time, and no behaviour.
//  * Bounds follow each other as in cb-por-1.
//
// Guarantee. When bound c is done: every class of executions that has one with at most c
// preemptions was run exactly once, and nothing else was run. Memory and time grow with the number
// of prefixes of these classes.
#include <memory>
#include <utility>

#include "strategies/cb_por_search.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class CbPor2 final : public CbPorSearch {
 public:
  explicit CbPor2(int32_t bound) : CbPorSearch(StrategyId::cb_por_2, bound) {}

 private:
  struct State {
    Cut cut;
    uint64_t hash;
  };

  void reached_end(Ending ending) override;
  void mark_predecessor(const State& state, ThreadId thread);
  bool nothing_open_beyond(Cut& cut, uint64_t hash);
  bool leads_to_open(const Cut& cut, uint64_t hash, ThreadId thread);

  std::vector<State> to_mark_;
};

void CbPor2::reached_end(Ending ending) {
  if (ending != Ending::Stuck) order_.end_last_thread();
  State end{order_.whole(), order_.hash()};
  if (!closed_.insert(end.hash) || order_.size() == 0) return;
  if (ending == Ending::Finished || ending == Ending::Stuck)
    to_mark_.push_back(std::move(end));
  else
    mark_predecessor(end, order_.step(order_.size() - 1).action.thread);
  while (!to_mark_.empty()) {
    const State state = std::move(to_mark_.back());
    to_mark_.pop_back();
    for (uint32_t t = 0; t < state.cut.size(); ++t)
      if (order_.is_maximal(state.cut, ThreadId{t})) mark_predecessor(state, ThreadId{t});
  }
}

// The state before the last step of `thread`, if that step is within the bound.
void CbPor2::mark_predecessor(const State& state, ThreadId thread) {
  State before{state.cut, state.hash - order_.last_step(state.cut, thread).mix};
  --before.cut[index(thread)];
  if (closed_.contains(before.hash) || !within_bound(before.cut, before.hash, thread)) return;
  if (!nothing_open_beyond(before.cut, before.hash)) return;
  closed_.insert(before.hash);
  to_mark_.push_back(std::move(before));
}

// Whether a state is closed is told sooner than whether the step to it is within the bound.
bool CbPor2::nothing_open_beyond(Cut& cut, uint64_t hash) {
  for (uint32_t t = 0; t < cut.size(); ++t) {
    const ThreadId thread{t};
    const Answer enabled = order_.enabled_in(cut, thread);
    if (enabled == Answer::No) continue;
    if (enabled == Answer::Unknown) return false;
    if (leads_to_open(cut, hash, thread) && within_bound(cut, hash, thread)) return false;
  }
  return true;
}

// Also where it is not known in how many ways the thread can go on.
bool CbPor2::leads_to_open(const Cut& cut, uint64_t hash, ThreadId thread) {
  const uint32_t choices = order_.choices_in(cut, thread);
  for (uint32_t choice = 0; choice < choices; ++choice)
    if (!closed_.contains(order_.hash_after(cut, hash, thread, choice))) return true;
  return choices == 0;
}

}  // namespace

std::unique_ptr<Strategy> make_cb_por_2(const RunOptions& options) {
  return std::make_unique<CbPor2>(options.bound);
}

}  // namespace heddle
