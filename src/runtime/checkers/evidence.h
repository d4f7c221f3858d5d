// What a report shows beside the failing step, gathered while an execution is repeated for it. The
// finding says which memory it is about, so nothing need be kept while the search runs: the second
// time, we know what to look out for.
#pragma once

#include <vector>

#include "model/finding.h"
#include "races/race_detector.h"
#include "trace/trace.h"

namespace heddle {

class Evidence {
 public:
  // From now on for this failure. Calls without one do nothing.
  void begin(const Failure& awaited);
  std::vector<TraceEvidence> end();

  // The rest is called on the program's threads.
  void access(Op op, uint64_t address, uint64_t bytes, Address pc);
  void allocated(uint64_t block, uint64_t bytes);
  void freed(uint64_t block, uint64_t bytes);
  // What the failure is: an access to memory that is not the program's, or a bad free of it.
  void bad_access(Op op, uint64_t address, uint64_t bytes, Address pc);
  void bad_free(uint64_t block, Address pc);
  void lock_taken(Address lock);
  void lock_given_back(Address lock);
  // A function of the running thread is about to return, or does something to the memory.
  void in_function();
  // The last call seen whose variable the memory is, if it lies on a stack.
  const TraceFrame& frame() const { return frame_; }
  // A variable that pointed to the block that the failure is about when that was freed.
  Address pointer() const { return pointer_; }
  // Ends the execution if it is the awaited race.
  void race_found(const Race& race, Failure failure);

 private:
  struct HeldLock {
    ThreadId thread;
    Address lock;
  };

  bool concerns(uint64_t begin, uint64_t bytes) const;
  void note_written_values();
  TraceEvidence describe(EvidenceRole role, Op op, uint64_t address, uint64_t bytes) const;

  Failure awaited_;
  ThreadId stack_owner_ = kNoThread;  // of the memory, if it lies on a stack
  TraceFrame frame_;
  Address pointer_ = kNoAddress;
  std::vector<HeldLock> held_;
  std::vector<TraceEvidence>
      accesses_;                      // of each thread and place the last read and the last write
  std::vector<TraceEvidence> block_;  // where it was allocated and freed
  std::vector<TraceEvidence> race_;
};

Evidence& evidence();

}  // namespace heddle
