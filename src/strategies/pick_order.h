// The frontier of a search: states that were found and not yet explored, and which comes next.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"

namespace heddle {

struct Node;

class Frontier {
 public:
  virtual ~Frontier() = default;
  // The successors of one state, the preferred one first; `preemptions` belongs to each of them.
  virtual void push(Node* node, uint32_t preemptions) = 0;
  virtual Node* pick() = 0;  // null: empty
  virtual uint32_t bound() const { return 0; }
};

// Last in, first out. A state's successors come in order, so the first of them is pushed last.
class DepthFirstFrontier final : public Frontier {
 public:
  void push(Node* node, uint32_t) override { nodes_.push_back(node); }
  Node* pick() override {
    if (nodes_.empty()) return nullptr;
    Node* node = nodes_.back();
    nodes_.pop_back();
    return node;
  }

 private:
  std::vector<Node*> nodes_;
};

class BreadthFirstFrontier final : public Frontier {
 public:
  void push(Node* node, uint32_t) override { nodes_.push_back(node); }
  Node* pick() override {
    if (nodes_.empty()) return nullptr;
    Node* node = nodes_.front();
    nodes_.pop_front();
    return node;
  }

 private:
  std::deque<Node*> nodes_;
};

class RandomFrontier final : public Frontier {
 public:
  explicit RandomFrontier(uint64_t seed) : random_(seed) {}
  void push(Node* node, uint32_t) override { nodes_.push_back(node); }
  Node* pick() override {
    if (nodes_.empty()) return nullptr;
    std::swap(nodes_[random_.below(nodes_.size())], nodes_.back());
    Node* node = nodes_.back();
    nodes_.pop_back();
    return node;
  }

 private:
  std::vector<Node*> nodes_;
  Random random_;
};

// Fewest preemptions first, depth first among equals.
class PreemptionFrontier final : public Frontier {
 public:
  void push(Node* node, uint32_t preemptions) override {
    if (preemptions >= by_bound_.size()) by_bound_.resize(preemptions + 1);
    by_bound_[preemptions].push_back(node);
  }
  Node* pick() override {
    uint32_t bound = bound_;
    while (bound < by_bound_.size() && by_bound_[bound].empty()) ++bound;
    if (bound >= by_bound_.size()) return nullptr;
    bound_ = bound;
    Node* node = by_bound_[bound].back();
    by_bound_[bound].pop_back();
    return node;
  }
  uint32_t bound() const override { return bound_; }

 private:
  std::vector<std::vector<Node*>> by_bound_;
  uint32_t bound_ = 0;  // of the state picked last
};

}  // namespace heddle
