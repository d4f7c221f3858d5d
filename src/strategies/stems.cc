#include "strategies/stems.h"

#include <algorithm>

namespace heddle {
namespace {

std::string key_of(std::span<const Transition> path) {
  BytesOut out;
  out.path(path);
  return out.take();
}

}  // namespace

Stems::KnownStep Stems::read_step(BytesIn& in) {
  KnownStep step;
  step.action = in.action();
  step.choice = static_cast<uint32_t>(in.number());
  step.id = in.damaged() ? ActionId{} : actions_.number_of(step.action);
  return step;
}

void Stems::write_step(BytesOut& out, const KnownStep& step) {
  out.action(step.action);
  out.number(step.choice);
}

// Nodes first: a call is for one that was there before.
bool Stems::take(std::string_view notes, std::vector<WorkItem>& items) {
  BytesIn in(notes);
  while (!in.done()) {
    const Schedule path = in.path();
    for (uint64_t left = in.count(); left > 0; --left) {
      const uint64_t depth = in.number();
      if (in.damaged() || depth > path.size()) return false;
      Node& node = nodes_[key_of(std::span(path).first(depth))];
      for (uint64_t steps = in.count(); steps > 0; --steps) node.push_back(read_step(in));
    }
    for (uint64_t left = in.count(); left > 0; --left)
      if (!answer(path, in, items)) return false;
    if (in.damaged()) return false;
  }
  return true;
}

// Whether the known step is an initial of the sequence: each of its threads' first steps was looked
// at when it was called for.
bool Stems::covers(const KnownStep& known, std::span<const CalledStep> sequence) const {
  for (const CalledStep& called : sequence)
    if (called.step.action.thread == known.action.thread)
      return called.initial && called.step.id == known.id && called.step.choice == known.choice;
  return false;
}

bool Stems::answer(const Schedule& path, BytesIn& in, std::vector<WorkItem>& items) {
  const uint64_t depth = in.number();
  std::vector<CalledStep> sequence;
  for (uint64_t left = in.count(); left > 0; --left) {
    const KnownStep step = read_step(in);
    sequence.push_back({step, in.number() != 0});
  }
  if (in.damaged() || depth > path.size() || sequence.empty()) return false;
  const std::span<const Transition> stem = std::span(path).first(depth);
  const auto node = nodes_.find(key_of(stem));
  if (node == nodes_.end()) return false;
  for (const KnownStep& known : node->second)
    if (covers(known, sequence)) return true;

  BytesOut out;
  out.path(stem);
  out.number(node->second.size());
  for (const KnownStep& known : node->second) write_step(out, known);
  for (const CalledStep& called : sequence) {
    out.number(1);
    write_step(out, called.step);
  }
  out.number(0);
  items.push_back({0, out.take()});
  node->second.push_back(sequence.front().step);
  return true;
}

WorkItem Stems::with_knowledge(const WorkItem& item) const {
  BytesIn in(item.bytes);
  const Schedule path = in.path();
  BytesOut out;
  out.number(path.size() + 1);
  for (size_t depth = 0; depth <= path.size(); ++depth) {
    const auto node = nodes_.find(key_of(std::span(path).first(depth)));
    const std::span<const KnownStep> known =
        node == nodes_.end() ? std::span<const KnownStep>() : node->second;
    out.number(known.size());
    for (const KnownStep& step : known) write_step(out, step);
  }
  out.append(item.bytes);
  return {item.bound, out.take()};
}

}  // namespace heddle
