// The functions that Heddle takes over, in one place, with those that it passes on
// (passed_functions.h): a test holds both tables against what the library exports, and "heddle
// support" prints them.
#pragma once

#include "model/passed_functions.h"

namespace heddle {

// clang-format off
// One row per function that is controlled: its family, its name.
#define HEDDLE_CONTROLLED_FUNCTIONS(X) \
  X(Threads, pthread_create) \
  X(Threads, pthread_join) \
  X(Threads, pthread_tryjoin_np) \
  X(Threads, pthread_timedjoin_np) \
  X(Threads, pthread_clockjoin_np) \
  X(Threads, pthread_detach) \
  X(Threads, pthread_exit) \
  X(Threads, pthread_setname_np) \
  X(Threads, pthread_getname_np) \
  X(Threads, pthread_kill) \
  X(Threads, gettid) \
  X(Threads, dlsym) \
  X(Cancellation, pthread_cancel) \
  X(Cancellation, pthread_testcancel) \
  X(Cancellation, pthread_setcancelstate) \
  X(Cancellation, pthread_setcanceltype) \
  X(Cancellation, __pthread_register_cancel) \
  X(Cancellation, __pthread_unregister_cancel) \
  X(Cancellation, __pthread_unwind_next) \
  X(Keys, pthread_key_create) \
  X(Keys, pthread_key_delete) \
  X(Keys, __cxa_thread_atexit_impl) \
  X(Keys, _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv) \
  X(Mutexes, pthread_mutex_init) \
  X(Mutexes, pthread_mutex_lock) \
  X(Mutexes, pthread_mutex_trylock) \
  X(Mutexes, pthread_mutex_timedlock) \
  X(Mutexes, pthread_mutex_clocklock) \
  X(Mutexes, pthread_mutex_unlock) \
  X(Mutexes, pthread_mutex_destroy) \
  X(Mutexes, pthread_mutex_consistent) \
  X(SpinLocks, pthread_spin_init) \
  X(SpinLocks, pthread_spin_lock) \
  X(SpinLocks, pthread_spin_trylock) \
  X(SpinLocks, pthread_spin_unlock) \
  X(SpinLocks, pthread_spin_destroy) \
  X(Rwlocks, pthread_rwlock_init) \
  X(Rwlocks, pthread_rwlock_rdlock) \
  X(Rwlocks, pthread_rwlock_tryrdlock) \
  X(Rwlocks, pthread_rwlock_timedrdlock) \
  X(Rwlocks, pthread_rwlock_clockrdlock) \
  X(Rwlocks, pthread_rwlock_wrlock) \
  X(Rwlocks, pthread_rwlock_trywrlock) \
  X(Rwlocks, pthread_rwlock_timedwrlock) \
  X(Rwlocks, pthread_rwlock_clockwrlock) \
  X(Rwlocks, pthread_rwlock_unlock) \
  X(Rwlocks, pthread_rwlock_destroy) \
  X(Conditions, pthread_cond_init) \
  X(Conditions, pthread_cond_wait) \
  X(Conditions, pthread_cond_timedwait) \
  X(Conditions, pthread_cond_clockwait) \
  X(Conditions, pthread_cond_signal) \
  X(Conditions, pthread_cond_broadcast) \
  X(Conditions, pthread_cond_destroy) \
  X(Semaphores, sem_init) \
  X(Semaphores, sem_destroy) \
  X(Semaphores, sem_open) \
  X(Semaphores, sem_close) \
  X(Semaphores, sem_unlink) \
  X(Semaphores, sem_wait) \
  X(Semaphores, sem_trywait) \
  X(Semaphores, sem_timedwait) \
  X(Semaphores, sem_clockwait) \
  X(Semaphores, sem_post) \
  X(Semaphores, sem_getvalue) \
  X(Barriers, pthread_barrier_init) \
  X(Barriers, pthread_barrier_wait) \
  X(Barriers, pthread_barrier_destroy) \
  X(Once, pthread_once) \
  X(Once, _ZNSt3__111__call_onceERVmPvPFvS2_E) \
  X(Once, __cxa_guard_acquire) \
  X(Once, __cxa_guard_release) \
  X(Once, __cxa_guard_abort) \
  X(Libcxx, _ZNSt3__120__libcpp_atomic_waitEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEEi) \
  X(Libcxx, _ZNSt3__120__libcpp_atomic_waitEPVKvi) \
  X(Libcxx, _ZNSt3__123__cxx_atomic_notify_allEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE) \
  X(Libcxx, _ZNSt3__123__cxx_atomic_notify_allEPVKv) \
  X(Libcxx, _ZNSt3__123__cxx_atomic_notify_oneEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE) \
  X(Libcxx, _ZNSt3__123__cxx_atomic_notify_oneEPVKv) \
  X(Libcxx, _ZNSt3__123__libcpp_atomic_monitorEPVKNS_17__cxx_atomic_implIiNS_22__cxx_atomic_base_implIiEEEE) \
  X(Libcxx, _ZNSt3__123__libcpp_atomic_monitorEPVKv) \
  X(Libcxx, _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh) \
  X(Libcxx, _ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE) \
  X(Libcxx, _ZNSt3__134__construct_barrier_algorithm_baseERl) \
  X(Libcxx, _ZNSt3__119__shared_weak_count14__release_weakEv) \
  X(Libcxx, _ZNSt3__119__shared_weak_count4lockEv) \
  X(Containers, _ZNSt8__detail15_List_node_base7_M_hookEPS0_) \
  X(Containers, _ZNSt8__detail15_List_node_base9_M_unhookEv) \
  X(Containers, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_) \
  X(Containers, _ZNSt8__detail15_List_node_base10_M_reverseEv) \
  X(Containers, _ZNSt8__detail15_List_node_base4swapERS0_S1_) \
  X(Containers, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_) \
  X(Containers, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_) \
  X(Containers, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base) \
  X(Containers, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base) \
  X(Containers, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base) \
  X(Containers, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base) \
  X(C11, thrd_create) \
  X(C11, thrd_join) \
  X(C11, thrd_detach) \
  X(C11, thrd_exit) \
  X(C11, thrd_sleep) \
  X(C11, thrd_yield) \
  X(C11, mtx_init) \
  X(C11, mtx_lock) \
  X(C11, mtx_trylock) \
  X(C11, mtx_timedlock) \
  X(C11, mtx_unlock) \
  X(C11, mtx_destroy) \
  X(C11, cnd_init) \
  X(C11, cnd_wait) \
  X(C11, cnd_timedwait) \
  X(C11, cnd_signal) \
  X(C11, cnd_broadcast) \
  X(C11, cnd_destroy) \
  X(C11, call_once) \
  X(C11, tss_create) \
  X(C11, tss_delete) \
  X(Time, sched_yield) \
  X(Time, pthread_yield) \
  X(Time, sleep) \
  X(Time, usleep) \
  X(Time, nanosleep) \
  X(Time, clock_nanosleep) \
  X(Time, clock_gettime) \
  X(Time, gettimeofday) \
  X(Time, time) \
  X(Time, clock) \
  X(Time, timespec_get) \
  X(SystemCalls, syscall) \
  X(Memory, malloc) \
  X(Memory, free) \
  X(Memory, calloc) \
  X(Memory, realloc) \
  X(Memory, reallocarray) \
  X(Memory, memalign) \
  X(Memory, aligned_alloc) \
  X(Memory, posix_memalign) \
  X(Memory, valloc) \
  X(Memory, pvalloc) \
  X(Memory, malloc_usable_size) \
  X(Ends, exit) \
  X(Ends, _exit) \
  X(Ends, _Exit) \
  X(Ends, quick_exit) \
  X(Ends, on_exit) \
  X(Ends, __cxa_at_quick_exit) \
  X(Ends, abort) \
  X(Ends, __assert_fail) \
  X(Ends, __cxa_atexit) \
  X(Ends, __cxa_finalize) \
  X(Ends, __libc_start_main) \
  X(Signals, sigaction) \
  X(Signals, signal) \
  X(Signals, __sysv_signal) \
  X(Signals, bsd_signal) \
  X(Signals, ssignal) \
  X(Signals, sigset) \
  X(Signals, sigignore) \
  X(Signals, sigprocmask) \
  X(Signals, pthread_sigmask) \
  X(Signals, sigblock) \
  X(Signals, sigsetmask) \
  X(Signals, sighold) \
  X(Signals, sigrelse) \
  X(Signals, kill) \
  X(Signals, sigqueue) \
  X(Input, read) \
  X(Input, __read_chk) \
  X(Input, pread) \
  X(Input, __pread_chk) \
  X(Input, pread64) \
  X(Input, __pread64_chk) \
  X(Input, readv) \
  X(Input, preadv) \
  X(Input, preadv64) \
  X(Input, recv) \
  X(Input, __recv_chk) \
  X(Input, recvfrom) \
  X(Input, __recvfrom_chk) \
  X(Input, recvmsg) \
  X(Input, write) \
  X(Input, writev) \
  X(Input, pwritev) \
  X(Input, pwritev64) \
  X(Input, send) \
  X(Input, sendto) \
  X(Input, sendmsg) \
  X(Input, close) \
  X(Input, pipe) \
  X(Input, pipe2) \
  X(Input, socketpair) \
  X(Input, eventfd) \
  X(Input, eventfd_read) \
  X(Input, eventfd_write) \
  X(Input, dup) \
  X(Input, dup2) \
  X(Input, shutdown) \
  X(Input, dup3) \
  X(Input, fcntl) \
  X(Input, fcntl64) \
  X(Input, poll) \
  X(Input, __poll_chk) \
  X(Input, ppoll) \
  X(Input, __ppoll_chk) \
  X(Input, select) \
  X(Input, pselect) \
  X(Input, epoll_ctl) \
  X(Input, epoll_wait) \
  X(Input, epoll_pwait) \
  X(Input, open) \
  X(Input, open64) \
  X(Input, openat) \
  X(Input, openat64) \
  X(Input, fopen) \
  X(Input, fopen64) \
  X(Input, fdopen) \
  X(Input, fileno) \
  X(Input, fileno_unlocked) \
  X(Randomness, rand) \
  X(Randomness, srand) \
  X(Randomness, random) \
  X(Randomness, srandom) \
  X(Randomness, drand48) \
  X(Randomness, lrand48) \
  X(Randomness, mrand48) \
  X(Randomness, srand48) \
  X(Randomness, getrandom) \
  X(Randomness, getentropy) \
  X(Randomness, arc4random) \
  X(Randomness, arc4random_buf) \
  X(Randomness, arc4random_uniform) \
  X(Randomness, _ZNSt13random_device9_M_getvalEv) \
  X(Randomness, _ZNSt3__113random_deviceclEv) \
  X(Randomness, getpid) \
  X(ProcessState, brk) \
  X(ProcessState, sbrk) \
  X(ProcessState, mmap) \
  X(ProcessState, mmap64) \
  X(ProcessState, munmap) \
  X(ProcessState, mremap) \
  X(ProcessState, mprotect) \
  X(ProcessState, setrlimit) \
  X(ProcessState, setrlimit64) \
  X(ProcessState, prlimit) \
  X(ProcessState, prlimit64) \
  X(ProcessState, setpriority) \
  X(ProcessState, nice) \
  X(ProcessState, setuid) \
  X(ProcessState, setgid) \
  X(ProcessState, seteuid) \
  X(ProcessState, setegid) \
  X(ProcessState, setreuid) \
  X(ProcessState, setregid) \
  X(ProcessState, setresuid) \
  X(ProcessState, setresgid) \
  X(ProcessState, setgroups) \
  X(ProcessState, setpgid) \
  X(ProcessState, alarm) \
  X(ProcessState, ualarm) \
  X(ProcessState, setitimer) \
  X(ProcessState, prctl) \
  X(ProcessState, close_range) \
  X(ProcessState, closefrom)

// One row per family: enumerator, name.
#define HEDDLE_FUNCTION_FAMILIES(X) \
  X(Threads, "threads") \
  X(Cancellation, "cancellation and cleanup") \
  X(Keys, "thread-specific data") \
  X(Mutexes, "mutexes") \
  X(SpinLocks, "spin locks") \
  X(Rwlocks, "reader-writer locks") \
  X(Conditions, "condition variables") \
  X(Semaphores, "semaphores") \
  X(Barriers, "barriers") \
  X(Once, "one-time initialisation") \
  X(Libcxx, "inside libc++") \
  X(Containers, "lists and trees inside libstdc++") \
  X(C11, "C11 threads") \
  X(Time, "sleeping and clocks") \
  X(SystemCalls, "system calls by number") \
  X(Memory, "memory") \
  X(Ends, "ends of the program") \
  X(Signals, "signals") \
  X(Input, "descriptors") \
  X(Randomness, "random numbers and numbers of processes") \
  X(ProcessState, "state of the process")

// What programs can say to Heddle themselves (include/heddle/heddle.h).
#define HEDDLE_API_FUNCTIONS(X) \
  X(heddle_running) \
  X(heddle_choose) \
  X(heddle_assume) \
  X(heddle_assert) \
  X(heddle_yield) \
  X(heddle_name) \
  X(heddle_atomic_begin) \
  X(heddle_atomic_end) \
  X(heddle_invariant) \
  X(heddle_invariant_end)
// clang-format on

enum class FunctionFamily {
#define X(enumerator, name) enumerator,
  HEDDLE_FUNCTION_FAMILIES(X)
#undef X
};

}  // namespace heddle
