// Search by preemptions with stored states.
#pragma once

#include "explicit/ledger.h"
#include "explicit/store.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// Up to options.max_preemptions. The store must restore states.
void search_context_bounded(StateSpace& space, StateStore& store, Ledger& ledger);

}  // namespace heddle::explicit_states
