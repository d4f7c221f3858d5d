// What pthread functions do under our control, for others that do the same by another name.
#pragma once

#include <pthread.h>

#include "base/ids.h"

namespace heddle {

struct Deadline;

int lock_mutex(pthread_mutex_t* mutex, Address pc);
int try_lock_mutex(pthread_mutex_t* mutex, Address pc);
int lock_mutex_before(pthread_mutex_t* mutex, const Deadline& deadline, Address pc);
int unlock_mutex(pthread_mutex_t* mutex, Address pc);
int destroy_mutex(pthread_mutex_t* mutex, Address pc);

// Without a deadline if it is null.
int wait_on_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline* deadline,
                      Address pc);
int signal_condition(pthread_cond_t* condition, Address pc);
int broadcast_condition(pthread_cond_t* condition, Address pc);
int destroy_condition(pthread_cond_t* condition, Address pc);

// C11's threads return an int where others return a pointer.
enum class Returns : bool { Pointer, Int };
int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                  void* argument, Returns returns, Address pc);
int join_thread(pthread_t handle, void** result, Address pc);

int run_once(pthread_once_t* control, void (*routine)(), Address pc);
void sleep_for(int64_t nanoseconds, Address pc);

}  // namespace heddle
