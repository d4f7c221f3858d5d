// The classes of SCALE's reusable barrier, threads x steps: 6, 54, 486, 4,374 for 2x1 to 2x4, 360
// and 324,000 for 3x1 and 3x2, 90,720 for 4x1.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=2 -DSTEPS=1
// EXECUTIONS: 6
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=2 -DSTEPS=2
// EXECUTIONS: 54
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=2 -DSTEPS=3
// EXECUTIONS: 486
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=3 -DSTEPS=1
// EXECUTIONS: 360
#include "../../bench/programs/barrier.c"
