// The nodes above the items of a divided reduction, and what is tried at each of them.
//
// dpor_division.cc tells of the idea. The nodes are kept by the path that leads to them. A call
// names one of them, and a sequence of steps that somebody has to take from there; unless a step
// known at the node begins an equivalent sequence, it becomes an item, and its first step is known
// there.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/divisible.h"
#include "strategies/action_table.h"
#include "strategies/item_bytes.h"

namespace heddle {

class Stems {
 public:
  bool empty() const { return nodes_.empty(); }

  // Takes the notes of a division; adds the items that answer its calls. False if they are damaged.
  bool take(std::string_view notes, std::vector<WorkItem>& items);

  // The item for a process that takes it up: with what is known at the nodes above it.
  WorkItem with_knowledge(const WorkItem& item) const;

 private:
  struct KnownStep {
    Action action;
    uint32_t choice;
    ActionId id;
  };
  struct CalledStep {
    KnownStep step;
    bool initial;
  };
  using Node = std::vector<KnownStep>;

  KnownStep read_step(BytesIn& in);
  static void write_step(BytesOut& out, const KnownStep& step);
  bool answer(const Schedule& path, BytesIn& in, std::vector<WorkItem>& items);
  bool covers(const KnownStep& known, std::span<const CalledStep> sequence) const;

  ActionTable actions_;
  std::map<std::string, Node> nodes_;  // by path, as bytes
};

}  // namespace heddle
