// The operations: what a thread can do that others can notice, and everything about each that does
// not depend on the state of the program. One row per operation; whoever needs to know something of
// an operation reads its column and compares with no list of operations.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle {

// What the object of an action is. From Variable on it is the address of something of the program.
enum class ObjectSort : uint8_t {
  None,        // nothing that can be shown
  Number,      // of the thread itself, or of alternatives
  Thread,      // the number of another thread
  Descriptor,  // of a file; its number is the size
  Variable,
  Mutex,
  Condition,
  SpinLock,
  RwLock,
  Semaphore,
  Barrier,
  Futex,
  Once,
  Static,
};

// What a step accesses; dependence.cc spells it out.
enum class Footprint : uint8_t {
  Nothing,
  Object,          // changes the object of synchronisation
  ObjectRead,      // only reads it
  FirstOnly,       // changes the object, unless it finds that done already (kIsDone)
  Arrival,         // changes the object, unless others are missing besides (kEarly)
  RwRelease,       // changes the object, unless it gives back what readers share (kSharedHold)
  ObjectAndMutex,  // changes both the object and the mutex that comes with it
  Guard,           // changes the object, and memory that compiled code reads by itself
  FutexWord,       // changes the queue, and reads the word
  Descriptor,      // changes one
  AllDescriptors,
  MemoryRead,
  MemoryWrite,
  MemoryUpdate,  // both in one; only reads where it fails
  Registration,  // changes a list, and whether it counts who ends last
  ThreadCreated,
  ThreadBegin,
  ThreadEnd,
  ThreadJoined,
  ThreadState,  // reads whether it has ended
  Everything,   // ordered with every step of every thread
};

// When it is not enabled.
enum class Waits : uint8_t {
  Never,
  Until,       // the state of its object allows it
  Blocked,     // always: it stands for waiting, until another thread's step turns it into another
  Woken,       // it is what that other step has made of it
  LastResort,  // it exists only because nothing else is enabled
};

// In how many ways it can be taken, where it can.
enum class Ways : uint8_t {
  One,
  Several,
  Vary,  // depends on what others did before
};

enum class LockEffect : uint8_t {
  None,
  Acquire,
  TryAcquire,
  Release,
  ReleaseSecond,  // the mutex that comes with the object
  Destroy,
  BeginInit,  // of something that is initialised once
  EndInit,
  AcquireRead,  // of a reader-writer lock, tried or not
  AcquireWrite,
  ReleaseRw,
};

// Further properties, as bits.
namespace op_property {
constexpr uint8_t Wakes = 1;       // may let waiting threads go on by changing their actions
constexpr uint8_t Yields = 2;      // the thread gives up the processor
constexpr uint8_t MaySpin = 4;     // a loop made of such steps may be one that waits
constexpr uint8_t ThreadLife = 8;  // begins or ends a thread, or waits for that
constexpr uint8_t Reads = 16;      // what it does depends on who changed the object last
constexpr uint8_t Unread = 32;     // nobody reads from it: another change comes in between
constexpr uint8_t Sourced = 64;    // the equivalence reads-from can deal with it
constexpr uint8_t Forms = 128;     // what others did before decides what it accesses
}  // namespace op_property

// clang-format off
// Enumerator; name in traces and JSON; verb phrase in reports; what its thread waits for while it is
// not enabled ({} is the object; "" where it can always be taken). Then the columns above, in order.
#define HEDDLE_OPERATIONS(X)                                                                            \
  X(ThreadStart, "thread-start", "starts", "",                                                          \
    Number,     ThreadBegin,    Never,      One,     None,          ThreadLife | Sourced)               \
  X(ThreadExit, "thread-exit", "ends", "",                                                              \
    Number,     ThreadEnd,      Never,      One,     None,          ThreadLife | Sourced | Forms)       \
  X(ThreadCreate, "thread-create", "creates", "",                                                       \
    Thread,     ThreadCreated,  Never,      One,     None,          ThreadLife | Sourced)               \
  X(ThreadJoin, "thread-join", "joins", "waits for the end of {}",                                      \
    Thread,     ThreadJoined,   Until,      One,     None,          ThreadLife | Sourced)               \
  X(MutexLock, "mutex-lock", "locks", "waits for {}",                                                   \
    Mutex,      Object,         Until,      One,     Acquire,       MaySpin | Reads | Unread | Sourced) \
  X(MutexTryLock, "mutex-trylock", "tries to lock", "",                                                 \
    Mutex,      Object,         Never,      One,     TryAcquire,    MaySpin | Reads | Sourced)          \
  X(MutexUnlock, "mutex-unlock", "unlocks", "",                                                         \
    Mutex,      Object,         Never,      One,     Release,       MaySpin | Sourced)                  \
  X(MutexDestroy, "mutex-destroy", "destroys", "",                                                      \
    Mutex,      Object,         Never,      One,     Destroy,       0)                                  \
  X(CondWait, "cond-wait", "waits on", "",                                                              \
    Condition,  ObjectAndMutex, Never,      Several, ReleaseSecond, Reads)                              \
  X(CondBlocked, "cond-blocked", "is waiting on", "waits for a signal on {}",                           \
    Condition,  ObjectAndMutex, Blocked,    One,     None,          0)                                  \
  X(CondRelock, "cond-relock", "wakes up and relocks", "was woken and waits for {}",                    \
    Mutex,      Object,         Woken,      One,     Acquire,       Reads | Unread)                     \
  X(CondSignal, "cond-signal", "signals", "",                                                           \
    Condition,  Object,         Never,      Vary,    None,          Wakes | Reads)                      \
  X(CondBroadcast, "cond-broadcast", "broadcasts", "",                                                  \
    Condition,  Object,         Never,      One,     None,          Wakes | Reads)                      \
  X(CondDestroy, "cond-destroy", "destroys", "",                                                        \
    Condition,  Object,         Never,      One,     None,          0)                                  \
  X(Once, "once", "enters pthread_once on", "",                                                         \
    Once,       FirstOnly,      Until,      One,     BeginInit,     Reads | Forms)                      \
  X(OnceEnd, "once-end", "completes", "",                                                               \
    Variable,   Guard,          Never,      One,     EndInit,       0)                                  \
  X(StaticInit, "static-init", "initialises the static at", "",                                         \
    Static,     FirstOnly,      Until,      One,     BeginInit,     Reads | Forms)                      \
  X(Yield, "yield", "yields", "",                                                                       \
    None,       Nothing,        Never,      One,     None,          Yields | MaySpin | Sourced)         \
  X(Sleep, "sleep", "sleeps", "",                                                                       \
    None,       Nothing,        Never,      One,     None,          Yields | MaySpin | Sourced)         \
  X(Read, "read", "reads", "",                                                                          \
    Variable,   MemoryRead,     Never,      One,     None,          MaySpin | Reads | Sourced)          \
  X(Write, "write", "writes", "",                                                                       \
    Variable,   MemoryWrite,    Never,      One,     None,          MaySpin | Sourced)                  \
  X(AtomicLoad, "atomic-load", "atomically loads", "",                                                  \
    Variable,   MemoryRead,     Never,      One,     None,          MaySpin | Reads | Sourced)          \
  X(AtomicStore, "atomic-store", "atomically stores to", "",                                            \
    Variable,   MemoryWrite,    Never,      One,     None,          MaySpin | Sourced)                  \
  X(AtomicRmw, "atomic-rmw", "atomically updates", "",                                                  \
    Variable,   MemoryUpdate,   Never,      One,     None,          MaySpin | Reads | Sourced)          \
  X(AtomicCas, "atomic-cas", "compares and swaps", "",                                                  \
    Variable,   MemoryUpdate,   Never,      One,     None,          MaySpin | Reads | Sourced | Forms)  \
  X(Choose, "choose", "chooses", "",                                                                    \
    Number,     Nothing,        Never,      Several, None,          Sourced)                            \
  X(ProcessExit, "process-exit", "exits the program", "",                                               \
    None,       Everything,     Never,      One,     None,          0)                                  \
  X(SpinLock, "spin-lock", "spin-locks", "waits for {}",                                                \
    SpinLock,   Object,         Until,      One,     Acquire,       MaySpin | Sourced)                  \
  X(SpinTryLock, "spin-trylock", "tries to spin-lock", "",                                              \
    SpinLock,   Object,         Never,      One,     TryAcquire,    MaySpin | Sourced)                  \
  X(SpinUnlock, "spin-unlock", "unlocks", "",                                                           \
    SpinLock,   Object,         Never,      One,     Release,       MaySpin | Sourced)                  \
  X(SpinDestroy, "spin-destroy", "destroys", "",                                                        \
    SpinLock,   Object,         Never,      One,     Destroy,       0)                                  \
  X(RwRead, "rwlock-read", "read-locks", "waits to read under {}",                                      \
    RwLock,     ObjectRead,     Until,      One,     AcquireRead,   MaySpin)                            \
  X(RwTryRead, "rwlock-tryread", "tries to read-lock", "",                                              \
    RwLock,     ObjectRead,     Never,      One,     AcquireRead,   MaySpin)                            \
  X(RwWrite, "rwlock-write", "write-locks", "waits to write under {}",                                  \
    RwLock,     Object,         Until,      One,     AcquireWrite,  MaySpin)                            \
  X(RwTryWrite, "rwlock-trywrite", "tries to write-lock", "",                                           \
    RwLock,     Object,         Never,      One,     AcquireWrite,  MaySpin)                            \
  X(RwUnlock, "rwlock-unlock", "unlocks", "",                                                           \
    RwLock,     RwRelease,      Never,      One,     ReleaseRw,     Wakes | MaySpin)                    \
  X(RwDestroy, "rwlock-destroy", "destroys", "",                                                        \
    RwLock,     Object,         Never,      One,     None,          0)                                  \
  X(SemOpen, "sem-open", "opens a named semaphore", "",                                                 \
    None,       Object,         Never,      One,     None,          0)                                  \
  X(SemWait, "sem-wait", "takes one from", "waits for a post to {}",                                    \
    Semaphore,  Object,         Until,      One,     None,          0)                                  \
  X(SemTryWait, "sem-trywait", "tries to take one from", "",                                            \
    Semaphore,  Object,         Never,      One,     None,          MaySpin)                            \
  X(SemPost, "sem-post", "posts to", "",                                                                \
    Semaphore,  Object,         Never,      One,     None,          Wakes)                              \
  X(SemValue, "sem-value", "asks for the value of", "",                                                 \
    Semaphore,  ObjectRead,     Never,      One,     None,          MaySpin)                            \
  X(SemDestroy, "sem-destroy", "destroys", "",                                                          \
    Semaphore,  Object,         Never,      One,     None,          0)                                  \
  X(BarrierWait, "barrier-wait", "arrives at", "",                                                      \
    Barrier,    Arrival,        Never,      One,     None,          Wakes | Forms)                      \
  X(BarrierBlocked, "barrier-blocked", "is waiting at", "waits at {} for others to arrive",             \
    Barrier,    ObjectRead,     Blocked,    One,     None,          0)                                  \
  X(BarrierWoken, "barrier-woken", "leaves", "",                                                        \
    Barrier,    ObjectRead,     Woken,      One,     None,          0)                                  \
  X(BarrierDestroy, "barrier-destroy", "destroys", "",                                                  \
    Barrier,    Object,         Never,      One,     None,          0)                                  \
  X(Blocked, "blocked", "is waiting for", "",                                                           \
    Variable,   Object,         Blocked,    One,     None,          0)                                  \
  X(Retry, "retry", "wakes up and turns to", "",                                                        \
    Variable,   Object,         Woken,      One,     None,          0)                                  \
  X(MutexTimedLock, "mutex-timedlock", "locks, or times out on,", "",                                   \
    Mutex,      Object,         Never,      One,     TryAcquire,    0)                                  \
  X(RwTimedRead, "rwlock-timedread", "read-locks, or times out on,", "",                                \
    RwLock,     ObjectRead,     Never,      One,     AcquireRead,   0)                                  \
  X(RwTimedWrite, "rwlock-timedwrite", "write-locks, or times out on,", "",                             \
    RwLock,     Object,         Never,      One,     AcquireWrite,  0)                                  \
  X(SemTimedWait, "sem-timedwait", "takes one from, or times out on,", "",                              \
    Semaphore,  Object,         Never,      One,     None,          0)                                  \
  X(CondTimedWait, "cond-timedwait", "waits for a time on", "",                                         \
    Condition,  ObjectAndMutex, Never,      Several, ReleaseSecond, 0)                                  \
  X(FutexWait, "futex-wait", "waits if unchanged on the futex", "",                                     \
    Futex,      FutexWord,      Never,      One,     None,          0)                                  \
  X(FutexTimedWait, "futex-timedwait", "waits for a time if unchanged on the futex", "",                \
    Futex,      FutexWord,      Never,      Several, None,          0)                                  \
  X(FutexBlocked, "futex-blocked", "is waiting on the futex", "waits on the futex {}",                  \
    Futex,      ObjectRead,     Blocked,    One,     None,          0)                                  \
  X(FutexWoken, "futex-woken", "is woken on the futex", "",                                             \
    Futex,      ObjectRead,     Woken,      One,     None,          0)                                  \
  X(FutexWake, "futex-wake", "wakes waiters of the futex", "",                                          \
    Futex,      Object,         Never,      Vary,    None,          Wakes)                              \
  X(TimeOut, "timeout", "times out on", "",                                                             \
    Variable,   Everything,     LastResort, One,     None,          0)                                  \
  X(ThreadTryJoin, "thread-tryjoin", "tries to join", "",                                               \
    Thread,     ThreadState,    Never,      One,     None,          MaySpin)                            \
  X(ThreadCancel, "thread-cancel", "asks to cancel", "",                                                \
    Thread,     Everything,     Never,      One,     None,          Wakes)                              \
  X(CancelPoint, "cancel-point", "looks for requests to cancel", "",                                    \
    None,       Nothing,        Never,      One,     None,          MaySpin)                            \
  X(AtomicBegin, "atomic-begin", "begins an atomic section", "",                                        \
    None,       Nothing,        Never,      One,     None,          0)                                  \
  X(FdRead, "fd-read", "reads from descriptor", "waits for something to read from a descriptor",        \
    Descriptor, Descriptor,     Until,      One,     None,          Wakes | MaySpin)                    \
  X(FdWrite, "fd-write", "writes to descriptor", "waits for room to write to a descriptor",             \
    Descriptor, Descriptor,     Until,      One,     None,          Wakes | MaySpin)                    \
  X(FdClose, "fd-close", "closes descriptor", "",                                                       \
    Descriptor, Descriptor,     Never,      One,     None,          Wakes)                              \
  X(FdWait, "fd-wait", "waits for a descriptor", "waits for a descriptor to be ready",                  \
    None,       AllDescriptors, Until,      One,     None,          MaySpin)                            \
  X(ExitRegister, "exit-register", "registers an exit handler", "",                                     \
    Number,     Registration,   Never,      One,     None,          Forms)                              \
  X(ExitHandler, "exit-handler", "turns to the exit handlers", "",                                      \
    Number,     Object,         Never,      One,     None,          0)                                  \
  X(StateAsk, "state-ask", "asks for what the process has", "",                                         \
    Number,     ObjectRead,     Never,      One,     None,          0)                                  \
  X(StateChange, "state-change", "changes what the process has", "",                                    \
    Number,     Object,         Never,      One,     None,          0)                                  \
  X(ProcessSignal, "process-signal", "sends the process a signal", "",                                  \
    None,       Everything,     Never,      One,     None,          0)                                  \
  X(SignalMask, "signal-mask", "changes which signals it blocks", "",                                   \
    None,       Nothing,        Never,      One,     None,          MaySpin)
// clang-format on

enum class Op : uint8_t {
#define X(enumerator, ...) enumerator,
  HEDDLE_OPERATIONS(X)
#undef X
};

struct Operation {
  std::string_view name;
  std::string_view verb;
  std::string_view waiting;
  ObjectSort object;
  Footprint accesses;
  Waits waits;
  Ways ways;
  LockEffect lock;
  uint8_t properties;

  constexpr bool has(uint8_t property) const { return (properties & property) != 0; }
};

// In the order of Op.
inline constexpr auto kOperations = [] {
  using namespace op_property;
  return std::to_array<Operation>({
#define X(enumerator, name, verb, waiting, object, accesses, waits, ways, lock, properties) \
  {name,         verb,       waiting,          ObjectSort::object, Footprint::accesses,     \
   Waits::waits, Ways::ways, LockEffect::lock, properties},
      HEDDLE_OPERATIONS(X)
#undef X
  });
}();

constexpr const Operation& operation(Op op) {
  return kOperations[static_cast<uint8_t>(op)];
}

}  // namespace heddle
