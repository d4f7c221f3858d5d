// The classes of the indexer: up to eleven threads never meet, twelve do (POPL 2014: 8 for 12
// threads, 4,096 for 15).
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=7
// EXECUTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=12
// EXECUTIONS: 8
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=15
// EXECUTIONS: 4096
#include "../../bench/programs/indexer.c"
