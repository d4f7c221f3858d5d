// Starting and joining a few threads, for the programs of this folder.
#pragma once

#include <pthread.h>

#define MOST_THREADS 128

static pthread_t crew_threads[MOST_THREADS];
static int crew_size;

static inline void start(void* (*work)(void*), void* argument) {
  pthread_create(&crew_threads[crew_size++], 0, work, argument);
}

static inline void start_many(int count, void* (*work)(void*)) {
  for (long i = 0; i < count; ++i) start(work, (void*)i);
}

static inline void join_all(void) {
  for (int i = 0; i < crew_size; ++i) pthread_join(crew_threads[i], 0);
  crew_size = 0;
}
