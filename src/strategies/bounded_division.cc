// The searches by a rising bound as work items. The bytes of an item are a number of bundles
// (work_queue.h), so that pieces can be joined by writing one behind the other.
#include <algorithm>

#include "strategies/bounded_search.h"
#include "strategies/item_bytes.h"

namespace heddle {
namespace {

constexpr uint32_t kBeyondTheBound = 1u << Gaps::kBits;

void write(BytesOut& out, std::span<const Transition> path, std::span<const Branch> branches,
           uint32_t preemptions) {
  out.number(preemptions);
  out.path(path.first(branches.back().depth));
  out.number(branches.size());
  for (const Branch& branch : branches) {
    out.number(branch.depth);
    out.transition(branch.transition);
  }
}

bool read(BytesIn& in, WorkBundle& bundle) {
  bundle.preemptions = static_cast<uint32_t>(in.number());
  bundle.path = in.path();
  bundle.branches.clear();
  for (uint64_t left = in.count(); left > 0; --left) {
    const auto depth = static_cast<uint32_t>(in.number());
    bundle.branches.push_back({depth, in.transition()});
  }
  const auto fits = [&](const Branch& branch) { return branch.depth <= bundle.path.size(); };
  return !in.damaged() && !bundle.branches.empty() &&
         std::all_of(bundle.branches.begin(), bundle.branches.end(), fits);
}

}  // namespace

// Bundles are dealt out in turn, so that each piece has some that are large.
class BoundedSearch::Pieces {
 public:
  Pieces(size_t count, uint32_t bound) : pieces_(std::max<size_t>(1, count)), bound_(bound) {}

  void add(std::span<const Transition> path, std::span<const Branch> branches,
           uint32_t preemptions) {
    write(pieces_[next_++ % pieces_.size()], path, branches, preemptions);
  }
  void add_all_of(WorkQueue& queue) {
    WorkBundle bundle;
    while (!queue.empty()) {
      queue.pop(bundle);
      add(bundle.path, bundle.branches, bundle.preemptions);
    }
  }
  void move_to(std::vector<WorkItem>& items) {
    for (BytesOut& piece : pieces_)
      if (!piece.empty()) items.push_back({bound_, piece.take()});
  }

 private:
  std::vector<BytesOut> pieces_;
  const uint32_t bound_;
  size_t next_ = 0;
};

// The execution that has begun, and what the path has yet to go to: the deepest is the smallest.
void BoundedSearch::give_away_path(Pieces& pieces) const {
  const std::span<const Transition> path = path_.transitions();
  path_.for_each_left([&](uint32_t depth, Transition transition, uint32_t preemptions) {
    const Branch branch{depth, transition};
    pieces.add(path, {&branch, 1}, preemptions);
  });
  if (path.empty()) return;
  const Branch last{static_cast<uint32_t>(path.size() - 1), path.back()};
  pieces.add(path, {&last, 1}, path_.preemptions());
}

Division BoundedSearch::divide(size_t count) {
  Division division;
  Pieces now(count, static_cast<uint32_t>(bound_));
  if (!exhausted_) {
    give_away_path(now);
    const std::span<const Branch> rest = std::span(bundle_.branches).subspan(taken_of_bundle_);
    for (const Branch& branch : rest) now.add(bundle_.path, {&branch, 1}, bundle_.preemptions);
    now.add_all_of(level_.work);
  }
  now.move_to(division.items);
  auto bound = static_cast<uint32_t>(bound_);
  for (Level& level : later_) {
    Pieces later(count, ++bound);
    later.add_all_of(level.work);
    later.move_to(division.items);
  }
  later_.clear();
  division.bound = bound_;
  division.left_out = gaps_.bits() | (left_out_some_ ? kBeyondTheBound : 0);
  exhausted_ = true;
  return division;
}

bool BoundedSearch::take_up(std::span<const WorkItem> items) {
  started_ = this_bound_only_ = true;
  bound_ = items.empty() ? 0 : static_cast<int32_t>(items.front().bound);
  WorkBundle bundle;
  for (const WorkItem& item : items) {
    BytesIn in(item.bytes);
    if (item.bound != items.front().bound) return false;
    while (!in.done()) {
      if (!read(in, bundle)) return false;
      level_.work.push(bundle.path, bundle.branches, bundle.preemptions);
      items_ += bundle.branches.size();
    }
  }
  return !level_.work.empty();
}

void BoundedSearch::conclude(int32_t bound, uint32_t left_out, bool all) {
  bound_ = bound;
  exhausted_ = all;
  left_out_some_ = (left_out & kBeyondTheBound) != 0;
  gaps_.add(left_out);
}

}  // namespace heddle
