// What a program can tell Heddle about itself. C and C++; nothing happens without Heddle.
//
// Nothing has to be linked: under Heddle the calls reach its library, whether the program was built
// with `heddle cc` or is a plain binary; otherwise each is a test of a pointer that is null.
// Under Heddle means: in an execution that a search makes, not in a program that merely is linked
// with its library. -DHEDDLE_DISABLED takes the calls out altogether.
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>

// The function of Heddle's library, or null. Asked of the dynamic linker through the table of
// global offsets, so that a program linked without the library finds it when it is preloaded.
#if defined(__x86_64__) && defined(__linux__) && !defined(HEDDLE_DISABLED)
#define HEDDLE_HOOK_(name)                                                                 \
  __extension__({                                                                          \
    void* heddle_hook_;                                                                    \
    __asm__(".weak " name "\n\t{movq " name "@GOTPCREL(%%rip), %0|mov %0, QWORD PTR " name \
            "@GOTPCREL[rip]}"                                                              \
            : "=r"(heddle_hook_));                                                         \
    heddle_hook_;                                                                          \
  })
#else
#define HEDDLE_HOOK_(name) ((void*)0)
#endif

#define HEDDLE_INLINE_ static inline __attribute__((always_inline, unused))

#ifdef __cplusplus
extern "C" {
#endif

// Whether the program is being explored now.
HEDDLE_INLINE_ int heddle_running(void) {
  int (*running)(void) = (int (*)(void))HEDDLE_HOOK_("heddle_v1_running");
  return running != NULL && running();
}

// One of 0 … n-1: the search tries every one of them. Without Heddle 0.
HEDDLE_INLINE_ unsigned heddle_choose(unsigned n) {
  unsigned (*choose)(unsigned) = (unsigned (*)(unsigned))HEDDLE_HOOK_("heddle_v1_choose");
  return choose != NULL ? choose(n) : 0;
}

// Executions in which the condition does not hold are of no interest: they end here and are neither
// bugs nor gaps in what was covered. Without Heddle the condition is not evaluated.
#define heddle_assume(condition) \
  ((void)(heddle_running() && !(condition) && (heddle_broken_assumption_(), 0)))
HEDDLE_INLINE_ void heddle_broken_assumption_(void) {
  void (*broken)(void) = (void (*)(void))HEDDLE_HOOK_("heddle_v1_broken_assumption");
  if (broken != NULL) broken();
}

// A bug if the condition does not hold, also where NDEBUG switches assert off. Without Heddle the
// condition is not evaluated.
#define heddle_assert(condition)              \
  ((void)(heddle_running() && !(condition) && \
          (heddle_failed_assertion_(#condition, __FILE__, __LINE__, __func__), 0)))
HEDDLE_INLINE_ void heddle_failed_assertion_(const char* text, const char* file, unsigned line,
                                             const char* function) {
  void (*failed)(const char*, const char*, unsigned, const char*) = (void (*)(
      const char*, const char*, unsigned, const char*))HEDDLE_HOOK_("heddle_v1_failed_assertion");
  if (failed != NULL) failed(text, file, line, function);
}

// A point at which another thread may go on, without costing a preemption.
HEDDLE_INLINE_ void heddle_yield(void) {
  void (*yield)(void) = (void (*)(void))HEDDLE_HOOK_("heddle_v1_yield");
  if (yield != NULL) yield();
}

// How reports call the object at this address: a mutex, an atomic, whatever has steps.
HEDDLE_INLINE_ void heddle_name(const volatile void* object, const char* name) {
  void (*give)(const volatile void*, const char*) =
      (void (*)(const volatile void*, const char*))HEDDLE_HOOK_("heddle_v1_name");
  if (give != NULL) give(object, name);
}

// Between the two, no other thread runs unless this one has to wait. Sections may be nested.
HEDDLE_INLINE_ void heddle_atomic_begin(void) {
  void (*begin)(void) = (void (*)(void))HEDDLE_HOOK_("heddle_v1_atomic_begin");
  if (begin != NULL) begin();
}
HEDDLE_INLINE_ void heddle_atomic_end(void) {
  void (*end)(void) = (void (*)(void))HEDDLE_HOOK_("heddle_v1_atomic_end");
  if (end != NULL) end();
}

// From here on `holds(argument)` is evaluated in every state between two steps and at the end of
// the program; zero is a bug. It may only look at memory: nothing else runs meanwhile, so no locks
// are needed, and none may be taken. What it looks at must exist until heddle_invariant_end with
// the same function and argument, or the end of the execution.
HEDDLE_INLINE_ void heddle_invariant(const char* name, int (*holds)(void*), void* argument) {
  void (*add)(const char*, int (*)(void*), void*) =
      (void (*)(const char*, int (*)(void*), void*))HEDDLE_HOOK_("heddle_v1_invariant");
  if (add != NULL) add(name, holds, argument);
}
HEDDLE_INLINE_ void heddle_invariant_end(int (*holds)(void*), void* argument) {
  void (*end)(int (*)(void*), void*) =
      (void (*)(int (*)(void*), void*))HEDDLE_HOOK_("heddle_v1_invariant_end");
  if (end != NULL) end(holds, argument);
}

#ifdef __cplusplus
}  // extern "C"

#if __cplusplus >= 201103L
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace heddle {

// One of the values: choose({1, 2, 3}), or choose(container).
template <typename T>
__attribute__((always_inline)) inline T choose(std::initializer_list<T> values) {
  return *(values.begin() + heddle_choose(static_cast<unsigned>(values.size())));
}
template <typename Range>
__attribute__((always_inline)) inline auto choose(const Range& range) ->
    typename std::decay<decltype(*std::begin(range))>::type {
  const auto first = std::begin(range);
  const auto size = static_cast<unsigned>(std::distance(first, std::end(range)));
  return *std::next(first, heddle_choose(size));
}
// The same with the type of the result: choose<double>({1, 2.5}), choose<Colour>(colours).
template <typename T, typename Range>
__attribute__((always_inline)) inline T choose(const Range& range) {
  return static_cast<T>(choose(range));
}
inline __attribute__((always_inline)) bool choose_bool() {
  return heddle_choose(2) != 0;
}

// An atomic section for the length of a block.
class atomic_section {
 public:
  atomic_section() { heddle_atomic_begin(); }
  ~atomic_section() { heddle_atomic_end(); }
  atomic_section(const atomic_section&) = delete;
  atomic_section& operator=(const atomic_section&) = delete;
};

#if __cplusplus >= 201703L
// An invariant for the length of a block: heddle::invariant sum("sum", [&] { return a + b == 10;
// });
template <typename Holds>
class invariant {
 public:
  invariant(const char* name, Holds holds) : holds_(std::move(holds)) {
    heddle_invariant(name, evaluate, this);
  }
  ~invariant() { heddle_invariant_end(evaluate, this); }
  invariant(const invariant&) = delete;
  invariant& operator=(const invariant&) = delete;

 private:
  static int evaluate(void* self) { return static_cast<invariant*>(self)->holds_() ? 1 : 0; }
  Holds holds_;
};
#endif

}  // namespace heddle
#endif
#endif

#endif  // HEDDLE_HEDDLE_H
