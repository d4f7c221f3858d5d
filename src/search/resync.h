// Follows a recorded execution in a program that has been edited since.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "explore/configuration.h"
#include "trace/trace.h"

namespace heddle {

class Resync {
 public:
  explicit Resync(const Trace& recorded);

  // What to do next; nothing if no thread can move, or if the program goes on for long after all
  // recorded steps.
  std::optional<Transition> next(const Configuration& configuration);

  uint64_t kept() const { return kept_; }
  uint64_t inserted() const { return inserted_; }
  uint64_t dropped() const { return dropped_; }
  uint64_t first_difference() const { return first_difference_; }  // step, from 1; 0: none
  const Action& instead() const { return instead_; }               // what the program did there

 private:
  bool in_modules(Address address) const;
  bool is_guess(const Action& recorded) const;
  bool corresponds(const Action& recorded, const Action& now);
  std::optional<Transition> finish(const Configuration& configuration);
  std::optional<Transition> take(const ThreadView& view, uint32_t recorded_choice);
  void differs(size_t step, const Action& now);

  const Trace& recorded_;
  std::map<ThreadId, std::deque<size_t>> left_;  // steps of the recording not yet met
  std::map<Address, Address> objects_;           // of the recording → of the program
  std::map<Address, Address> back_;
  size_t slot_ = 0;  // position in the recorded order of threads
  uint64_t kept_ = 0;
  uint64_t inserted_ = 0;
  uint64_t dropped_ = 0;
  uint64_t after_ = 0;
  uint64_t first_difference_ = 0;
  Action instead_;
};

}  // namespace heddle
