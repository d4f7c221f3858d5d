// The class of an execution: what remains of it when the order of independent steps is forgotten.
// Computed from the definition, without vector clocks: the oracle for partial-order reductions.
#pragma once

#include <string>
#include <vector>

#include "explore/executor.h"
#include "model/run_options.h"
#include "model/schedule.h"

namespace heddle::toy {

// Canonical texts: every step with the earlier steps it depends on. Steps are dependent as
// model/dependence.h says; besides, a signal comes before the relocking of the thread it woke. Of a
// failure only what came before it counts, what may have led to it.
struct Classes {
  std::string whole;  // of the execution, if nothing failed in it
  struct Failed {
    Failure failure;
    std::string past;
  };
  // Of an execution that went on after failures: those that no other failure led to.
  std::vector<Failed> failures;
  bool failed = false;
};

// With reads from, accesses to memory by different threads come before each other only if one sees
// what the other wrote.
Classes classes_of(Executor& executor, const Schedule& schedule,
                   Equivalence equivalence = Equivalence::Mazurkiewicz);

}  // namespace heddle::toy
