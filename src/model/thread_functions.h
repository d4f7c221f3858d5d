// What functions on attributes of threads and objects read and write: each is a small object of the
// program's, with functions to make it, to end it, to set and to get. Rows are as in
// library_functions.h.
#pragma once

// clang-format off
#define HEDDLE_ATTRIBUTE_FUNCTIONS(X) \
  X(int, pthread_attr_init, (pthread_attr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_attr_destroy, (pthread_attr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_attr_setdetachstate, (pthread_attr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getdetachstate, (const pthread_attr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setguardsize, (pthread_attr_t* of, size_t value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getguardsize, (const pthread_attr_t* of, size_t* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setinheritsched, (pthread_attr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getinheritsched, (const pthread_attr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setschedpolicy, (pthread_attr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getschedpolicy, (const pthread_attr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setscope, (pthread_attr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getscope, (const pthread_attr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setstacksize, (pthread_attr_t* of, size_t value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_attr_getstacksize, (const pthread_attr_t* of, size_t* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setschedparam, (pthread_attr_t* of, const sched_param* value), (of, value), R(value, sizeof *value); W(of, sizeof *of), ) \
  X(int, pthread_attr_getschedparam, (const pthread_attr_t* of, sched_param* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_mutexattr_init, (pthread_mutexattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_destroy, (pthread_mutexattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_settype, (pthread_mutexattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_gettype, (const pthread_mutexattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_mutexattr_setpshared, (pthread_mutexattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_getpshared, (const pthread_mutexattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_mutexattr_setprotocol, (pthread_mutexattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_getprotocol, (const pthread_mutexattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_mutexattr_setprioceiling, (pthread_mutexattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_getprioceiling, (const pthread_mutexattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_mutexattr_setrobust, (pthread_mutexattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_mutexattr_getrobust, (const pthread_mutexattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_condattr_init, (pthread_condattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_condattr_destroy, (pthread_condattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_condattr_setpshared, (pthread_condattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_condattr_getpshared, (const pthread_condattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_condattr_setclock, (pthread_condattr_t* of, clockid_t value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_condattr_getclock, (const pthread_condattr_t* of, clockid_t* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_rwlockattr_init, (pthread_rwlockattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_rwlockattr_destroy, (pthread_rwlockattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_rwlockattr_setpshared, (pthread_rwlockattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_rwlockattr_getpshared, (const pthread_rwlockattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_rwlockattr_setkind_np, (pthread_rwlockattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_rwlockattr_getkind_np, (const pthread_rwlockattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_barrierattr_init, (pthread_barrierattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_barrierattr_destroy, (pthread_barrierattr_t* of), (of), W(of, sizeof *of), ) \
  X(int, pthread_barrierattr_setpshared, (pthread_barrierattr_t* of, int value), (of, value), W(of, sizeof *of), ) \
  X(int, pthread_barrierattr_getpshared, (const pthread_barrierattr_t* of, int* to), (of, to), R(of, sizeof *of), W(to, sizeof *to)) \
  X(int, pthread_attr_setstack, (pthread_attr_t* of, void* stack, size_t n), (of, stack, n), W(of, sizeof *of), ) \
  X(int, pthread_attr_getstack, (const pthread_attr_t* of, void** stack, size_t* n), (of, stack, n), R(of, sizeof *of), W(stack, sizeof *stack); W(n, sizeof *n)) \
  X(int, pthread_attr_setaffinity_np, (pthread_attr_t* of, size_t n, const cpu_set_t* value), (of, n, value), R(value, n); W(of, sizeof *of), ) \
  X(int, pthread_attr_getaffinity_np, (const pthread_attr_t* of, size_t n, cpu_set_t* to), (of, n, to), R(of, sizeof *of), W(to, n)) \
  X(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t* to), (thread, to), , W(to, sizeof *to)) \
  X(int, pthread_getschedparam, (pthread_t thread, int* policy, sched_param* to), (thread, policy, to), , W(policy, sizeof *policy); W(to, sizeof *to)) \
  X(int, pthread_getcpuclockid, (pthread_t thread, clockid_t* to), (thread, to), , if (result == 0) W(to, sizeof *to))
// clang-format on
