// Comes before libstdc++'s file of this name: std::atomic<std::shared_ptr> gives its lock back by a
// relaxed update after it has only read, which orders nothing. What the library guarantees holds
// all the same, so here the update orders.
#pragma GCC system_header
#include <bits/atomic_base.h>
#pragma push_macro("fetch_sub")
#undef fetch_sub
#define fetch_sub(amount, order) fetch_sub(amount, memory_order_acq_rel)
#include_next <bits/shared_ptr_atomic.h>
#pragma pop_macro("fetch_sub")
