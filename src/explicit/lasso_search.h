// Whether every execution of a program keeps a temporal formula, by search for one that does not.
#pragma once

#include <string>

#include "explicit/ledger.h"
#include "explicit/options.h"
#include "explicit/store.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// A sentence if the formula cannot be read, or speaks of what is not there.
std::string complaint_about(const StateSpace& space, const TemporalOptions& temporal);

// Looks for an execution that breaks options.temporal, which has passed complaint_about(). The path
// of the finding is a prefix and a loop. The store is exact.
void search_lasso(StateSpace& space, StateStore& store, Ledger& ledger);

}  // namespace heddle::explicit_states
