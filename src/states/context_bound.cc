#include "states/context_bound.h"

#include <algorithm>

namespace heddle {

uint64_t ContextBounds::key(const Question& question) {
  return mix(question.hash, index(question.thread)) | 1;
}

bool ContextBounds::within(const PartialOrder& order, Cut& cut, uint64_t hash, ThreadId thread,
                           uint32_t bound) {
  Question question{thread, hash, bound};
  const uint32_t before = index(thread) < cut.size() ? cut[index(thread)] : 0;
  std::optional<bool> known = answer(order, cut, question);
  if (!known) {
    call(order, cut, question);
    known = search(order, cut);
  }
  if (index(thread) < cut.size()) cut[index(thread)] = before;
  return *known;
}

// What can be said without a choice between steps to take back. Those between which there is none
// are taken back.
std::optional<bool> ContextBounds::answer(const PartialOrder& order, Cut& cut, Question& question) {
  const ThreadId thread = question.thread;
  if (order.least_preemptions(cut, thread) > question.budget) return false;
  while (index(thread) < cut.size() && order.is_maximal(cut, thread) &&
         order.stays_ready(cut, thread) && order.hinders_nobody(cut, thread)) {
    question.hash -= order.last_step(cut, thread).mix;
    --cut[index(thread)];
  }
  const BoundTable::Range range = known_.find(key(question));
  if (range.most <= question.budget) return true;
  if (range.least > question.budget) return false;
  if (std::any_of(cut.begin(), cut.end(), [](uint32_t steps) { return steps > 0; })) return {};
  known_.at_most(key(question), 0);
  return true;
}

// Begins to look for an answer to a question that has none yet.
void ContextBounds::call(const PartialOrder& order, const Cut& cut, const Question& question) {
  calls_.push_back({question, ways_.size(), ways_.size()});
  const size_t first = ways_.size();
  for (uint32_t t = 0; t < cut.size(); ++t) {
    const ThreadId last{t};
    if (!order.is_maximal(cut, last)) continue;
    const OrderedStep& step = order.last_step(cut, last);
    const bool preempted =
        last != question.thread && !gives_up_processor(step.action.op) &&
        (order.stays_ready(cut, last) || order.enabled_in(cut, last) == Answer::Yes);
    if (const uint32_t cost = preempted ? 1 : 0; cost <= question.budget)
      ways_.push_back({last, cost, cut[t], question.hash - step.mix});
  }
  const auto cost_order = [&](const TakenBack& way) {
    return 2 * way.cost + (way.thread == question.thread ? 0 : 1);
  };
  std::stable_sort(
      ways_.begin() + static_cast<ptrdiff_t>(first), ways_.end(),
      [&](const TakenBack& a, const TakenBack& b) { return cost_order(a) < cost_order(b); });
}

bool ContextBounds::search(const PartialOrder& order, Cut& cut) {
  while (!calls_.empty()) {
    Call& top = calls_.back();
    if (top.next == ways_.size()) {
      fail(cut);
      continue;
    }
    const TakenBack way = ways_[top.next++];
    Question question{way.thread, way.before, top.question.budget - way.cost};
    --cut[index(way.thread)];
    const std::optional<bool> known = answer(order, cut, question);
    if (!known) {
      call(order, cut, question);
    } else if (*known) {
      succeed(cut, known_.find(key(question)).most);
      return true;
    } else {
      cut[index(way.thread)] = way.steps;
    }
  }
  return false;
}

// None of the ways of the last call leads to the beginning.
void ContextBounds::fail(Cut& cut) {
  const Call done = calls_.back();
  calls_.pop_back();
  ways_.resize(done.first);
  known_.at_least(key(done.question), done.question.budget + 1);
  if (calls_.empty()) return;
  const TakenBack& way = ways_[calls_.back().next - 1];
  cut[index(way.thread)] = way.steps;
}

// The way that each call is going leads to the beginning.
void ContextBounds::succeed(Cut& cut, uint32_t preemptions) {
  for (; !calls_.empty(); calls_.pop_back()) {
    const TakenBack& way = ways_[calls_.back().next - 1];
    cut[index(way.thread)] = way.steps;
    preemptions += way.cost;
    known_.at_most(key(calls_.back().question), preemptions);
  }
  ways_.clear();
}

}  // namespace heddle
