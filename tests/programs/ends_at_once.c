// Executions that fail or break an assumption before their first step, and searches in which every
// execution breaks one: those say nothing about the program.
//
// RUN: --strategy=optimal-dpor
// FLAGS: -DASSUME
// EXPECT: unknown
// GUARANTEE: none of them kept its assumptions
// EXECUTIONS: 1
// DISMISSED: 1
// RUN: --strategy=dpor
// FLAGS: -DASSUME
// EXPECT: unknown
// DISMISSED: 1
// RUN: --strategy=source-dpor --keep-going
// FLAGS: -DASSUME
// EXPECT: unknown
// DISMISSED: 1
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DASSUME
// EXPECT: unknown
// DISMISSED: 1
// RUN: --strategy=cb-por-2
// FLAGS: -DASSUME
// EXPECT: unknown
// DISMISSED: 1
// RUN: --strategy=portfolio
// FLAGS: -DASSUME
// EXPECT: unknown
// RUN: --strategy=optimal-dpor
// FLAGS: -DASSUME_AT_EXIT
// EXPECT: unknown
// DISMISSED: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DCHOOSE=5
// EXPECT: unknown
// EXECUTIONS: 2
// DISMISSED: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DCHOOSE=1
// EXPECT: pass
// EXECUTIONS: 2
// DISMISSED: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DASSERT
// EXPECT: fail assertion
// RUN: --strategy=portfolio --keep-going
// FLAGS: -DASSERT
// EXPECT: fail assertion
// FINDINGS: 1
// RUN: --strategy=optimal-dpor --equivalence=reads-from --keep-going
// FLAGS: -DASSERT
// EXPECT: fail assertion
// RUN: --strategy=portfolio --keep-going
// FLAGS: -DEXIT
// EXPECT: fail exit-status
#include <assert.h>
#include <heddle/heddle.h>
#include <stdlib.h>

#ifdef ASSUME_AT_EXIT
static void at_exit(void) {
  heddle_assume(0);
}
#endif

int main(void) {
#ifdef ASSUME
  heddle_assume(0);
  assert(!"reached");
#endif
#ifdef ASSUME_AT_EXIT
  atexit(at_exit);
#endif
#ifdef CHOOSE
  heddle_assume(heddle_choose(2) >= CHOOSE);
#endif
#ifdef ASSERT
  assert(!"at once");
#endif
#ifdef EXIT
  exit(3);
#endif
  return 0;
}
