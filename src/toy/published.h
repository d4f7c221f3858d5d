// Programs whose numbers of classes are known, from papers or from other tools.
#pragma once

#include "toy/program.h"

namespace heddle::toy {

// Abdulla et al., POPL 2014, table 1 (filesystem and indexer after Flanagan and Godefroid, 2005).
Program filesystem(uint32_t threads);
Program indexer(uint32_t threads);
Program readers(uint32_t readers, uint32_t writers = 1);
Program lastzero(uint32_t writers);

// Two threads race for the largest Fibonacci number (SV-COMP's fib_bench).
Program fib(uint32_t rounds);

// Dining philosophers who take the fork of the lower number first.
Program philosophers(uint32_t philosophers, uint32_t rounds);

// SCALE (Florian 2010): reusable barrier and thread pool. Main is thread 0.
Program barrier(uint32_t threads, uint32_t steps);
Program thread_pool(uint32_t workers);

}  // namespace heddle::toy
