#include "strategies/work_pool.h"

#include <algorithm>
#include <utility>

namespace heddle {

std::optional<std::vector<WorkItem>> WorkPool::add(Division division) {
  bound_ = std::max(bound_, division.bound);
  apart_ += division.apart;
  left_out_ |= division.left_out;
  if (!stems_.take(division.notes, division.items)) return std::nullopt;
  for (WorkItem& item : division.items) {
    item.number = ++last_number_;
    items_[item.bound].push_back(item);
  }
  return std::move(division.items);
}

// The calls in the notes have been answered: by items that are among the others, or done.
bool WorkPool::restore(Contents contents) {
  bound_ = contents.bound;
  apart_ = contents.apart;
  left_out_ = contents.left_out;
  for (const std::string& notes : contents.notes) {
    std::vector<WorkItem> answers;
    if (!stems_.take(notes, answers)) return false;
  }
  for (WorkItem& item : contents.items) {
    last_number_ = std::max(last_number_, item.number);
    items_[item.bound].push_back(std::move(item));
  }
  return true;
}

void WorkPool::put_back(const Share& share) {
  for (const WorkItem& item : share) items_[item.bound].push_front(item);
}

size_t WorkPool::size() const {
  size_t size = 0;
  for (const auto& [bound, items] : items_) size += items.size();
  return size;
}

WorkPool::Share WorkPool::take(size_t takers) {
  Share share;
  if (items_.empty()) return share;
  const auto first = items_.begin();
  std::deque<WorkItem>& items = first->second;
  const size_t count = (items.size() + takers - 1) / std::max<size_t>(1, takers);
  // Those that stand together are about equally large: each taker has some of all sizes.
  const size_t stride = std::max<size_t>(1, takers);
  std::deque<WorkItem> rest;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i % stride == 0 && share.size() < count)
      share.push_back(std::move(items[i]));
    else
      rest.push_back(std::move(items[i]));
  }
  items = std::move(rest);
  if (items.empty()) items_.erase(first);
  return share;
}

std::vector<WorkItem> WorkPool::ready(const Share& share) const {
  if (stems_.empty()) return share;
  std::vector<WorkItem> items;
  for (const WorkItem& item : share) items.push_back(stems_.with_knowledge(item));
  return items;
}

}  // namespace heddle
