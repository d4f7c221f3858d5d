// The search over all states, for every order, store and reduction.
#pragma once

#include "explicit/ledger.h"
#include "explicit/reduction.h"
#include "explicit/store.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// `reduction` may be null. The results are in the ledger.
void search_depth_first(StateSpace& space, StateStore& store, Reduction* reduction, Ledger& ledger);
// The store must restore states.
void search_breadth_first(StateSpace& space, StateStore& store, Reduction* reduction,
                          Ledger& ledger);

}  // namespace heddle::explicit_states
