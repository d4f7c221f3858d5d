// Small multithreaded programs as data: a list of instructions for each thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::toy {

inline constexpr uint32_t kMaxThreads = 32;
inline constexpr uint32_t kMaxObjects = 256;  // of each kind: variables, mutexes, conditions
inline constexpr uint32_t kRegisters = 4;     // of each thread
inline constexpr uint32_t kZero = 4;          // a register that always reads as 0

enum class ObjectKind : uint8_t {
  None,
  Thread,
  Variable,
  Mutex,
  Condition,
  Semaphore,
  RwLock,
  Barrier,
  Once
};

// clang-format off
// One row per instruction: enumerator, name, the operation that others see, the kind of `object`.
#define HEDDLE_TOY_CODES(X)                                                                      \
  X(Load,       "load",        AtomicLoad,    Variable)  /* reg = variable */                    \
  X(Store,      "store",       AtomicStore,   Variable)  /* variable = reg + value */            \
  X(Add,        "add",         AtomicRmw,     Variable)  /* reg = variable; variable += value */ \
  X(Cas,        "cas",         AtomicCas,     Variable)  /* reg = whether it was `second` and is now value */ \
  X(Lock,       "lock",        MutexLock,     Mutex)                                             \
  X(TryLock,    "try-lock",    MutexTryLock,  Mutex)     /* reg = whether it was free */         \
  X(Unlock,     "unlock",      MutexUnlock,   Mutex)                                             \
  X(Wait,       "wait",        CondWait,      Condition) /* `second` is the mutex */             \
  X(Signal,     "signal",      CondSignal,    Condition)                                         \
  X(Broadcast,  "broadcast",   CondBroadcast, Condition)                                         \
  X(TryUnlock,  "try-unlock",  MutexUnlock,   Mutex)     /* reg = whether the thread held it */  \
  X(TimedLock,  "timed-lock",  MutexLock,     Mutex)     /* reg = whether it got it in time */   \
  X(TimedWait,  "timed-wait",  CondTimedWait, Condition) /* as Wait; also ends at once, or late */ \
  X(LateWait,   "late-wait",   CondWait,      Condition) /* as Wait; also ends if nothing else goes on */ \
  X(PassedWait, "passed-wait", CondWait,      Condition) /* as Wait, but its time has passed: ends at once */ \
  X(Take,       "take",        SemWait,       Semaphore)                                         \
  X(TryTake,    "try-take",    SemTryWait,    Semaphore) /* reg = whether there was one */       \
  X(TimedTake,  "timed-take",  SemWait,       Semaphore) /* reg = whether it got one in time */  \
  X(Post,       "post",        SemPost,       Semaphore)                                         \
  X(Value,      "value",       SemValue,      Semaphore) /* reg = its value */                   \
  X(Read,       "read-lock",   RwRead,        RwLock)                                            \
  X(TryRead,    "try-read",    RwTryRead,     RwLock)    /* reg = whether it could */            \
  X(TimedRead,  "timed-read",  RwRead,        RwLock)    /* reg = whether it could in time */    \
  X(Write,      "write-lock",  RwWrite,       RwLock)                                            \
  X(TryWrite,   "try-write",   RwTryWrite,    RwLock)    /* reg = whether it could */            \
  X(TimedWrite, "timed-write", RwWrite,       RwLock)    /* reg = whether it could in time */    \
  X(RwUnlock,   "rw-unlock",   RwUnlock,      RwLock)                                            \
  X(Arrive,     "arrive",      BarrierWait,   Barrier)   /* reg = whether it was the last */     \
  X(Once,       "once",        Once,          Once)      /* reg = whether it is the first */     \
  X(OnceEnd,    "once-end",    OnceEnd,       Once)                                              \
  X(Spawn,      "spawn",       ThreadCreate,  Thread)                                            \
  X(Join,       "join",        ThreadJoin,    Thread)                                            \
  X(Yield,      "yield",       Yield,         None)                                              \
  X(Choose,     "choose",      Choose,        None)      /* reg = one of 0 … value-1 */          \
  X(Exit,       "exit",        ProcessExit,   None)      /* ends the program */                  \
  X(Begin,      "begin",       AtomicBegin,   None)      /* an atomic section */                 \
  X(End,        "end",         Yield,         None)      /* of the section */                    \
  X(Assert,     "assert",      Yield,         None)      /* reg == value */                      \
  X(Assume,     "assume",      Yield,         None)      /* reg == value, or the execution is void */ \
  X(Count,      "count",       Yield,         None)      /* reg += value */                      \
  X(SkipUnless, "skip-unless", Yield,         None)      /* skip, unless reg == value */
// clang-format on

enum class Code : uint8_t {
#define X(enumerator, name, operation, kind) enumerator,
  HEDDLE_TOY_CODES(X)
#undef X
};

// These belong to the step before them, and no thread can be switched away from in between.
constexpr bool is_local(Code code) {
  return code == Code::Assert || code == Code::Assume || code == Code::Count ||
         code == Code::SkipUnless || code == Code::End;
}

struct Instruction {
  Code code = Code::Yield;
  uint32_t object = 0;
  uint32_t second = 0;
  uint32_t reg = kZero;
  int32_t value = 0;
  int32_t skip = 0;  // relative to the following instruction; negative: a loop
};

// A thread's first step is its start and its last one its exit, around its instructions.
using Script = std::vector<Instruction>;

struct Program {
  std::vector<Script> threads;  // by ThreadId
  uint32_t initially_live = 1;  // the first so many need no spawn
  // What runs when the last thread ends after the first has, in that last thread.
  Script at_exit = {};
  std::vector<uint32_t> semaphores = {};  // what they are worth at first; 0 for others
  uint32_t round = 2;                     // how many a barrier waits for
  bool first_has_started = false;         // it stands before its first instruction, as main does
};

// clang-format off
inline Instruction load(uint32_t reg, uint32_t variable) { return {Code::Load, variable, 0, reg}; }
inline Instruction store(uint32_t variable, int32_t value) { return {Code::Store, variable, 0, kZero, value}; }
inline Instruction store_sum(uint32_t variable, uint32_t reg, int32_t value) { return {Code::Store, variable, 0, reg, value}; }
inline Instruction add(uint32_t reg, uint32_t variable, int32_t value) { return {Code::Add, variable, 0, reg, value}; }
inline Instruction cas(uint32_t reg, uint32_t variable, uint32_t expected, int32_t value) { return {Code::Cas, variable, expected, reg, value}; }
inline Instruction lock(uint32_t mutex) { return {Code::Lock, mutex}; }
inline Instruction try_lock(uint32_t reg, uint32_t mutex) { return {Code::TryLock, mutex, 0, reg}; }
inline Instruction unlock(uint32_t mutex) { return {Code::Unlock, mutex}; }
inline Instruction wait(uint32_t condition, uint32_t mutex) { return {Code::Wait, condition, mutex}; }
inline Instruction signal(uint32_t condition) { return {Code::Signal, condition}; }
inline Instruction broadcast(uint32_t condition) { return {Code::Broadcast, condition}; }
inline Instruction try_unlock(uint32_t reg, uint32_t mutex) { return {Code::TryUnlock, mutex, 0, reg}; }
inline Instruction timed_lock(uint32_t reg, uint32_t mutex) { return {Code::TimedLock, mutex, 0, reg}; }
inline Instruction timed_wait(uint32_t condition, uint32_t mutex) { return {Code::TimedWait, condition, mutex}; }
inline Instruction late_wait(uint32_t condition, uint32_t mutex) { return {Code::LateWait, condition, mutex}; }
inline Instruction passed_wait(uint32_t condition, uint32_t mutex) { return {Code::PassedWait, condition, mutex}; }
inline Instruction take(uint32_t semaphore) { return {Code::Take, semaphore}; }
inline Instruction try_take(uint32_t reg, uint32_t semaphore) { return {Code::TryTake, semaphore, 0, reg}; }
inline Instruction timed_take(uint32_t reg, uint32_t semaphore) { return {Code::TimedTake, semaphore, 0, reg}; }
inline Instruction post(uint32_t semaphore) { return {Code::Post, semaphore}; }
inline Instruction value_of(uint32_t reg, uint32_t semaphore) { return {Code::Value, semaphore, 0, reg}; }
inline Instruction read_lock(uint32_t rwlock) { return {Code::Read, rwlock}; }
inline Instruction try_read(uint32_t reg, uint32_t rwlock) { return {Code::TryRead, rwlock, 0, reg}; }
inline Instruction timed_read(uint32_t reg, uint32_t rwlock) { return {Code::TimedRead, rwlock, 0, reg}; }
inline Instruction write_lock(uint32_t rwlock) { return {Code::Write, rwlock}; }
inline Instruction try_write(uint32_t reg, uint32_t rwlock) { return {Code::TryWrite, rwlock, 0, reg}; }
inline Instruction timed_write(uint32_t reg, uint32_t rwlock) { return {Code::TimedWrite, rwlock, 0, reg}; }
inline Instruction rw_unlock(uint32_t rwlock) { return {Code::RwUnlock, rwlock}; }
inline Instruction arrive(uint32_t reg, uint32_t barrier) { return {Code::Arrive, barrier, 0, reg}; }
inline Instruction once(uint32_t reg, uint32_t control) { return {Code::Once, control, 0, reg}; }
inline Instruction once_end(uint32_t control) { return {Code::OnceEnd, control}; }
inline Instruction spawn(uint32_t thread) { return {Code::Spawn, thread}; }
inline Instruction join(uint32_t thread) { return {Code::Join, thread}; }
inline Instruction yield() { return {Code::Yield}; }
inline Instruction choose(uint32_t reg, int32_t ways) { return {Code::Choose, 0, 0, reg, ways}; }
inline Instruction exit_program() { return {Code::Exit}; }
inline Instruction begin_section() { return {Code::Begin}; }
inline Instruction end_section() { return {Code::End}; }
inline Instruction assert_equal(uint32_t reg, int32_t value) { return {Code::Assert, 0, 0, reg, value}; }
inline Instruction assume_equal(uint32_t reg, int32_t value) { return {Code::Assume, 0, 0, reg, value}; }
inline Instruction count(uint32_t reg, int32_t value) { return {Code::Count, 0, 0, reg, value}; }
inline Instruction skip_unless(uint32_t reg, int32_t value, int32_t skip) { return {Code::SkipUnless, 0, 0, reg, value, skip}; }
inline Instruction skip(int32_t count) { return skip_unless(kZero, 1, count); }
// clang-format on

// One line per thread, for the messages of failing tests.
std::string to_string(const Program& program);

}  // namespace heddle::toy
