// Whom a search works for: who asks it to stop, sees how far it is, and takes what it finds.
#pragma once

#include <cstdint>

#include "explore/explorer.h"
#include "trace/trace.h"

namespace heddle {

class Host {
 public:
  virtual ~Host() = default;

  // Asked before every execution of the search.
  virtual bool stop_requested() { return false; }
  // Asked before every execution but the first: whether what is left is wanted as work items. The
  // search then ends without a word about what it has found.
  virtual bool division_requested(Explorer&) { return false; }
  virtual bool is_divided(const Explorer&) { return false; }
  // The user or a limit of time: what comes after the search is to end soon, too.
  virtual bool is_interrupted() { return false; }

  // Signs of life.
  virtual void steps_taken(uint64_t /*count*/) {}
  virtual void execution_ended(const Explorer&, const ExecutionSummary&) {}
  virtual void search_ended(const Explorer&) {}
  // Something is begun that will not be tried again should the process die of it.
  virtual void reach_milestone() {}

  // Whether the user does not want to hear of the race that the trace shows.
  virtual bool is_suppressed(uint32_t /*number*/, const Trace&) { return false; }
  // Makes the memory of a race visible; false if it is already.
  virtual bool make_visible(const Failure& /*race*/) { return false; }

  // A finding, first by what is known without repeating its execution, then in full.
  virtual void take_sketch(uint32_t number, const Trace& sketch) = 0;
  virtual void take_trace(uint32_t number, const Trace& trace) = 0;
  // The search begins anew and will find it again under another number.
  virtual void withdraw(uint32_t number) = 0;
};

}  // namespace heddle
