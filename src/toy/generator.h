// Random toy programs, for the tests in which every complete strategy must agree with naive
// enumeration.
#pragma once

#include <cstdint>

#include "toy/program.h"

namespace heddle::toy {

// Two to four threads and all kinds of instructions; the same program for the same seed. Every
// execution of it ends: there are no loops. Some of its executions deadlock or fail.
Program random_program(uint64_t seed);

// Three or four threads that are all there from the beginning and meet in few objects: locks held
// while waiting for others, signals with several waiters. Larger than what can be enumerated.
Program random_crowd(uint64_t seed);

// Two or three threads that wait for each other in loops: for a value, for a lock that is free, for
// a value that is only looked at under a lock. Some wait for what never comes.
Program random_waiters(uint64_t seed);

// Two to four threads that load, store and update two variables, some of it under locks.
Program random_accesses(uint64_t seed);

// Two to four threads with atomic sections among other steps: some touch what depends on what they
// read, wait in the middle, fail, end the thread or the program, create or join a thread.
Program random_sections(uint64_t seed);

// Two or three threads that nobody joins: some call exit, some executions break an assumption, also
// before the first step, and after the last thread something may run. Compare-and-swaps fail or
// not.
Program random_endings(uint64_t seed);

// Three or four threads with compare-and-swaps, stores and loads of one or two variables. Whether
// one of the swaps fails depends on what came before, and with it what it is dependent with.
Program random_swaps(uint64_t seed);

// Two to four threads that wait for what several can have, and for each other: semaphores,
// reader-writer locks, barriers, what is done once; with attempts, with deadlines, and with unlocks
// of what another thread holds.
Program random_sharing(uint64_t seed);

}  // namespace heddle::toy
