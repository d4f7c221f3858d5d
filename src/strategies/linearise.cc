#include "strategies/linearise.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMostSituations = 100'000;

}  // namespace

void Lineariser::prepare() {
  size_t threads = 0, variables = 0;
  for (const Item& item : items_) {
    threads = std::max<size_t>(threads, index(item.thread) + 1);
    if (item.variable != kNone) variables = std::max<size_t>(variables, item.variable + 1);
  }
  threads_.resize(threads);
  for (std::vector<uint32_t>& items : threads_) items.clear();
  unseen_.assign(items_.size(), 0);
  first_unseen_.assign(variables, 0);
  for (uint32_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    threads_[index(item.thread)].push_back(i);
    if (item.looks) ++(item.source == kNone ? first_unseen_[item.variable] : unseen_[item.source]);
  }
  taken_.assign(items_.size(), false);
  order_.clear();
  failed_.clear();
  budget_ = kMostSituations;
}

bool Lineariser::possible(uint32_t i, const Situation& now) const {
  const Item& item = items_[i];
  if (item.cause != kNone && !taken_[item.cause]) return false;
  if (item.variable == kNone) return true;
  const uint32_t last = now.last[item.variable];
  if (item.looks && last != (item.source == kNone ? 0 : item.source + 1)) return false;
  if (!item.writes) return true;
  const uint32_t unseen = last == 0 ? first_unseen_[item.variable] : unseen_[last - 1];
  return unseen == (item.looks ? 1 : 0);
}

void Lineariser::take(uint32_t i, Situation& now) {
  const Item& item = items_[i];
  if (item.looks) --(item.source == kNone ? first_unseen_[item.variable] : unseen_[item.source]);
  if (item.writes) now.last[item.variable] = i + 1;
  ++now.next[index(item.thread)];
  taken_[i] = true;
  order_.push_back(i);
}

void Lineariser::take_back(uint32_t i) {
  const Item& item = items_[i];
  if (item.looks) ++(item.source == kNone ? first_unseen_[item.variable] : unseen_[item.source]);
  taken_[i] = false;
  order_.pop_back();
}

void Lineariser::take_what_only_looks(Situation& now) {
  for (bool any = true; any;) {
    any = false;
    for (size_t t = 0; t < threads_.size(); ++t) {
      while (now.next[t] < threads_[t].size()) {
        const uint32_t i = threads_[t][now.next[t]];
        if (items_[i].writes || !possible(i, now)) break;
        take(i, now);
        any = true;
      }
    }
  }
}

bool Lineariser::search(Situation now) {
  const size_t before = order_.size();
  take_what_only_looks(now);
  if (order_.size() == items_.size()) return true;
  if (budget_ == 0) return false;
  if (!failed_.contains(now)) {
    --budget_;
    // In the order in which they were given: that of an execution, which is often a good one.
    std::vector<uint32_t> writes;
    for (size_t t = 0; t < threads_.size(); ++t)
      if (now.next[t] < threads_[t].size() && possible(threads_[t][now.next[t]], now))
        writes.push_back(threads_[t][now.next[t]]);
    std::sort(writes.begin(), writes.end());
    for (uint32_t i : writes) {
      Situation next = now;
      take(i, next);
      if (search(std::move(next))) return true;
      take_back(i);
    }
    if (budget_ > 0) failed_.insert(now);
  }
  while (order_.size() > before) take_back(order_.back());
  return false;
}

Lineariser::Answer Lineariser::solve() {
  prepare();
  Situation start{std::vector<uint32_t>(threads_.size()),
                  std::vector<uint32_t>(first_unseen_.size())};
  if (search(std::move(start))) return Answer::Found;
  return budget_ > 0 ? Answer::None : Answer::Unknown;
}

}  // namespace heddle
