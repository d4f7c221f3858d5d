// Numbers, schedules and actions as bytes, for work items (explore/divisible.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/action.h"
#include "model/schedule.h"

namespace heddle {

class BytesOut {
 public:
  // Seven bits a byte, the lowest first; the high bit says that more follow.
  void number(uint64_t number) {
    for (; number >= 0x80; number >>= 7) text_.push_back(static_cast<char>(number | 0x80));
    text_.push_back(static_cast<char>(number));
  }
  void transition(Transition t) {
    number(uint64_t{index(t.thread)} << 1 | (t.choice != 0));
    if (t.choice != 0) number(t.choice);
  }
  void path(std::span<const Transition> path) {
    number(path.size());
    for (size_t i = 0; i < path.size();) {
      size_t run = 1;
      while (i + run < path.size() && path[i + run] == path[i]) ++run;
      transition(path[i]);
      number(run);
      i += run;
    }
  }
  void action(const Action& action) {
    number(static_cast<uint64_t>(action.op));
    number(static_cast<uint64_t>(action.order));
    number(action.size);
    number(index(action.thread));
    number(action.before);
    number(value(action.object));
    number(value(action.second));
  }

  void append(std::string_view bytes) { text_ += bytes; }
  bool empty() const { return text_.empty(); }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

// What is missing or makes no sense is read as zeros, and damaged() from then on.
class BytesIn {
 public:
  explicit BytesIn(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool damaged() const { return damaged_; }
  std::string_view rest() const { return text_; }

  uint64_t number() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (text_.empty()) break;
      const auto byte = static_cast<uint8_t>(text_.front());
      text_.remove_prefix(1);
      number |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    return fail();
  }
  // How many there are of what takes a byte at least each.
  uint64_t count() {
    const uint64_t count = number();
    return count <= text_.size() ? count : fail();
  }
  std::string text() {
    const uint64_t length = count();
    std::string text(text_.substr(0, length));
    text_.remove_prefix(length);
    return text;
  }
  Transition transition() {
    const uint64_t head = number();
    const uint64_t choice = (head & 1) != 0 ? number() : 0;
    return {ThreadId{static_cast<uint32_t>(head >> 1)}, static_cast<uint32_t>(choice)};
  }
  Schedule path() {
    constexpr uint64_t kLongest = uint64_t{1} << 32;
    const uint64_t length = number();
    Schedule path;
    if (length >= kLongest) fail();
    while (!damaged_ && path.size() < length) {
      const Transition t = transition();
      const uint64_t run = number();
      if (run == 0 || run > length - path.size())
        fail();
      else
        path.insert(path.end(), run, t);
    }
    return path;
  }
  Action action() {
    Action action;
    const uint64_t op = number();
    if (op >= kOperations.size()) fail();
    action.op = damaged_ ? Op::Yield : static_cast<Op>(op);
    action.order = static_cast<MemoryOrder>(number());
    action.size = static_cast<uint32_t>(number());
    action.thread = ThreadId{static_cast<uint32_t>(number())};
    action.before = static_cast<uint32_t>(number());
    action.object = Address{number()};
    action.second = Address{number()};
    return action;
  }

 private:
  uint64_t fail() {
    damaged_ = true;
    text_ = {};
    return 0;
  }

  std::string_view text_;
  bool damaged_ = false;
};

}  // namespace heddle
