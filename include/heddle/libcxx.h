/* How libc++ waits, for programs compiled by "heddle c++"; not for use by hand.
 *
 * atomic::wait and what stands on it look sixty-four times, then look at the time, and only then go
 * to sleep. Each look would be a step of the search. Here the thread looks once and then tells
 * Heddle what it waits for. The compiler wrapper puts this file in front of every source that is
 * compiled with libc++; the functions below fit libc++'s calls better than libc++'s own do. */
#ifndef HEDDLE_LIBCXX_H_
#define HEDDLE_LIBCXX_H_

#if defined(__cplusplus) && __cplusplus >= 201103L && __has_include(<__config>)
#include <__config>
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION >= 14000 && _LIBCPP_VERSION < 15000 && \
    !defined(_LIBCPP_HAS_NO_THREADS)

/* To be called right after a look that said that waiting is necessary, with no access to memory in
 * between. Returns when it is worth looking again, or with 0 when the time is over: *nanoseconds,
 * of which it takes off what has passed. Without an atomic: the one that the thread has looked at
 * last. */
extern "C" int heddle_wait_while_unchanged(const volatile void* atomic, unsigned long bytes,
                                           long long* nanoseconds);

_LIBCPP_BEGIN_NAMESPACE_STD

template <__INTMAX_TYPE__ _Num, __INTMAX_TYPE__ _Den>
class _LIBCPP_TEMPLATE_VIS ratio;
namespace chrono {
template <class _Rep, class _Period>
class _LIBCPP_TEMPLATE_VIS duration;
}
template <class _Atp, class _Fn>
struct __libcpp_atomic_wait_backoff_impl;
struct __libcpp_timed_backoff_policy;

template <class _Test, class _Atp, class _Fn>
__attribute__((visibility("hidden"))) bool __libcpp_thread_poll_with_backoff(
    _Test&& __test, __libcpp_atomic_wait_backoff_impl<_Atp, _Fn>& __backoff) {
  _Atp* const __atomic = __backoff.__a;
  while (!__test()) heddle_wait_while_unchanged(__atomic, sizeof(_Atp), nullptr);
  return true;
}

template <class _Test>
__attribute__((visibility("hidden"))) bool __libcpp_thread_poll_with_backoff(
    _Test&& __test, __libcpp_timed_backoff_policy&&) {
  while (!__test()) heddle_wait_while_unchanged(nullptr, 0, nullptr);
  return true;
}

// Depends on _Test, so that durations need not be known before somebody waits for one.
template <class _Test, class _Duration>
__attribute__((visibility("hidden"))) long long __heddle_count_of(const _Duration& __duration) {
  return __duration.count();
}

template <class _Test>
__attribute__((visibility("hidden"))) bool __libcpp_thread_poll_with_backoff(
    _Test&& __test, __libcpp_timed_backoff_policy&&,
    const chrono::duration<long long, ratio<1, 1000000000>>& __longest) {
  long long __left = __heddle_count_of<_Test>(__longest);
  while (!__test())
    if (heddle_wait_while_unchanged(nullptr, 0, &__left) == 0) return false;
  return true;
}

_LIBCPP_END_NAMESPACE_STD

#endif
#endif

#endif
