// What runs when a thread ends: destructors of thread_local objects and of thread-specific keys.
// glibc runs them at the end of its own threads; fibers end here.
#pragma once

#include <pthread.h>

#include "base/ids.h"
#include "runtime/guest/reserved.h"

namespace heddle {

class ThreadExitHandlers {
 public:
  void initialise();
  void add(ThreadId thread, void (*function)(void*), void* argument);
  void add_key(pthread_key_t key, void (*destructor)(void*));
  void remove_key(pthread_key_t key);
  void run_objects(ThreadId thread);  // destructors of thread_local objects alone
  void run(ThreadId thread);
  void take_baseline();
  void reset();

 private:
  struct Handler {
    ThreadId thread;
    void (*function)(void*);
    void* argument;
  };
  struct Key {
    pthread_key_t key;
    void (*destructor)(void*);
  };
  bool run_key_destructors();

  ReservedVector<Handler> handlers_;
  ReservedVector<Handler> baseline_;
  ReservedVector<Key> keys_;
  ReservedVector<Key> baseline_keys_;
  bool changed_ = false;
};

ThreadExitHandlers& thread_exit_handlers();
void run_thread_exit_handlers(ThreadId thread);

}  // namespace heddle
