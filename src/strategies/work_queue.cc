#include "strategies/work_queue.h"

namespace heddle {
namespace {

void push_transition(ByteQueue& bytes, Transition transition) {
  const bool has_choice = transition.choice != 0;
  bytes.push_number(uint64_t{index(transition.thread)} << 1 | has_choice);
  if (has_choice) bytes.push_number(transition.choice);
}

Transition pop_transition(ByteQueue& bytes) {
  const uint64_t head = bytes.pop_number();
  const uint64_t choice = head & 1 ? bytes.pop_number() : 0;
  return {ThreadId{static_cast<uint32_t>(head >> 1)}, static_cast<uint32_t>(choice)};
}

}  // namespace

void WorkQueue::push(std::span<const Transition> path, std::span<const Branch> branches,
                     uint32_t preemptions) {
  bytes_.push_number(preemptions);
  const std::span<const Transition> stem = path.first(branches.back().depth);
  bytes_.push_number(stem.size());
  for (size_t i = 0; i < stem.size();) {
    size_t run = 1;
    while (i + run < stem.size() && stem[i + run] == stem[i]) ++run;
    push_transition(bytes_, stem[i]);
    bytes_.push_number(run);
    i += run;
  }
  bytes_.push_number(branches.size());
  uint32_t depth = 0;
  for (const Branch& branch : branches) {
    bytes_.push_number(branch.depth - depth);
    push_transition(bytes_, branch.transition);
    depth = branch.depth;
  }
}

void WorkQueue::pop(WorkBundle& bundle) {
  bundle.path.clear();
  bundle.branches.clear();
  bundle.preemptions = static_cast<uint32_t>(bytes_.pop_number());
  for (size_t length = bytes_.pop_number(); bundle.path.size() < length;) {
    const Transition transition = pop_transition(bytes_);
    bundle.path.insert(bundle.path.end(), bytes_.pop_number(), transition);
  }
  uint32_t depth = 0;
  for (uint64_t left = bytes_.pop_number(); left > 0; --left) {
    depth += static_cast<uint32_t>(bytes_.pop_number());
    bundle.branches.push_back({depth, pop_transition(bytes_)});
  }
}

}  // namespace heddle
