// A row for each kind; the test knows if one is missing.
#include "report/kinds_explained.h"

#include <fmt/format.h>

#include <array>

namespace heddle {
namespace {

struct Explanation {
  FindingKind kind;
  const char* meaning;
  const char* example;
  const char* remedy;
};

constexpr Explanation kExplanations[] = {
    {FindingKind::Deadlock,
     "Threads wait for each other, or for something that nobody is left to do: none of them will "
     "ever go on.",
     R"(thread 1                thread 2
lock(a);                lock(b);
lock(b);  // held by 2  lock(a);  // held by 1)",
     "Take locks in the same order everywhere, or all at once (std::scoped_lock). If a thread "
     "waits for a signal, see lost-wakeup."},
    {FindingKind::Assertion, "An assertion of the program fails under this order of steps.",
     R"(int now = get(counter);   // another thread changes it here
set(counter, now + 1);
…
assert(get(counter) == 2);)",
     "Look at what a thread had read or checked and not yet used when another one came in between; "
     "hold one lock over both, or make it one atomic operation."},
    {FindingKind::Abort, "The program gave up by itself (abort, a failed check of a library).",
     R"(if (queue.empty()) abort();   // another thread took the last one)",
     "Ask why the condition before the abort holds under this order of steps, as for an "
     "assertion."},
    {FindingKind::Exception,
     "An exception left the function of a thread, or main, and ended the program.",
     R"(std::thread t([] { items.at(3); });   // throws: not there yet)",
     "Catch it in the thread and hand it over (std::async does), and make sure that what was "
     "missing is there before it is asked for."},
    {FindingKind::Crash,
     "The program used an address that is not valid (segmentation fault, bus error, illegal "
     "instruction, division by zero).",
     R"(thread 1                   thread 2
if (p != nullptr)          p = nullptr;
  p->use();)",
     "Keep what was checked from changing until it has been used: the same lock over both, or a "
     "copy."},
    {FindingKind::StackOverflow, "A thread used more stack than it has.",
     R"(void visit(Node* n) { visit(n->next); }   // the list is a ring now)",
     "Under this order of steps a recursion has no end, or the thread needs more stack "
     "(pthread_attr_setstacksize)."},
    {FindingKind::ExitStatus,
     "The program ended with another status than 0 under this order of steps.",
     R"(return total == 2 ? 0 : 1;)",
     "The program itself says that something is wrong: treat it like an assertion. If such a "
     "status is no error, use --ignore=exit-status."},
    {FindingKind::Livelock, "Threads run on and on, but nothing changes any more.",
     R"(while (!atomic_load(&ready)) sched_yield();   // nobody will set it)",
     "Find out who was to change what they wait for, and why it did not; back off and let one of "
     "them win if they keep undoing each other's work."},
    {FindingKind::MutexMisuse,
     "A mutex is used in a way that its rules forbid: unlocked by somebody who does not hold it, "
     "destroyed while held, used before it was made.",
     R"(pthread_mutex_unlock(&m);   // not locked by this thread)",
     "Lock and unlock in the same function (std::lock_guard), and let the mutex live longer than "
     "its users."},
    {FindingKind::CondMisuse,
     "A condition variable is destroyed while somebody waits, or waited for with several mutexes.",
     R"(pthread_cond_destroy(&c);   // a thread still waits)",
     "Wake and join the waiting threads before it goes."},
    {FindingKind::ThreadMisuse, "A thread is joined or detached twice, or joined by itself.",
     R"(pthread_detach(t);
pthread_join(t, NULL);   // no longer ours)",
     "Decide who owns the thread: it is joined or detached once."},
    {FindingKind::DataRace,
     "Two threads access the same memory, at least one of them writes, and nothing orders the two. "
     "In C and C++ the program then has no meaning, even if it seems to work.",
     R"(int hits;
thread 1: hits++;      thread 2: hits++;)",
     "Hold the same lock at both accesses, or make the variable atomic; if one must come first, "
     "wait for it (join, condition variable)."},
    {FindingKind::SpinMisuse,
     "A spin lock is unlocked by somebody who does not hold it, destroyed while held, or used "
     "before it was made.",
     R"(pthread_spin_unlock(&s);   // not locked)",
     "Lock and unlock in the same function, and let it live longer than its users."},
    {FindingKind::RwlockMisuse,
     "A reader-writer lock is unlocked by somebody who does not hold it, or destroyed while held.",
     R"(pthread_rwlock_unlock(&l);   // held by another thread)",
     "Lock and unlock in the same function (std::shared_lock), and let it live longer than its "
     "users."},
    {FindingKind::SemMisuse, "A semaphore is destroyed while somebody waits, or used after that.",
     R"(sem_destroy(&s);   // a thread waits for it)", "Let its users end before it goes."},
    {FindingKind::BarrierMisuse,
     "A barrier is destroyed while somebody waits, or used before it was made.",
     R"(pthread_barrier_destroy(&b);   // not all have come)",
     "Join the threads that wait there first."},
    {FindingKind::DoubleFree, "A heap block is freed twice.",
     R"(thread 1: free(buffer);     thread 2: free(buffer);)",
     "Who owns the block? Free it once, when all its users are done: join them first, or count "
     "references (std::shared_ptr)."},
    {FindingKind::InvalidFree, "Something is freed that no allocation has returned.",
     R"(free(buffer + 1);)", "Keep the address that the allocation returned, and free that."},
    {FindingKind::MismatchedFree, "A block is released in another way than it was obtained.",
     R"(int* p = new int[4];
delete p;   // delete[])",
     "malloc with free, new with delete, new[] with delete[]; or let std::vector and "
     "std::unique_ptr do it."},
    {FindingKind::UseAfterFree, "A heap block is used after it was freed.",
     R"(thread 1                 thread 2
s = current;
                         delete current;
s->users++;)",
     "Free it when all its users are done: join them first, or let each own a part of it "
     "(std::shared_ptr)."},
    {FindingKind::OutOfBounds, "A heap block is accessed before its beginning or behind its end.",
     R"(if (used < size)          // another thread takes the last place
  items[used++] = item;)",
     "Compare index and size under the lock under which the access is made."},
    {FindingKind::StackUse, "A variable of a thread that has ended is used by another one.",
     R"(void start() { int done = 0; std::thread([&] { done = 1; }).detach(); })",
     "Join the threads that use a variable before it goes, or keep it on the heap."},
    {FindingKind::Leak, "A heap block is left to which nothing refers any more.",
     R"(last = new Node;   // two threads at once: one of the nodes is lost)",
     "Ask who was to free it; a pointer that several threads set is set under a lock, or by "
     "compare-and-swap."},
    {FindingKind::LostWakeup,
     "A thread waits for a signal that came too early or woke another thread, and nobody will give "
     "another one.",
     R"(thread 1                         thread 2
if (!ready)
                                 ready = 1; signal(c);
  wait(c, m);   // for ever)",
     "Look at what is waited for under the mutex, in a loop, and change it under the mutex; wake "
     "all (notify_all) where several wait for different things."},
    {FindingKind::Invariant,
     "A state is reached in which something does not hold that the program says must always hold.",
     R"(heddle::invariant kept("no money is lost", [] { return a + b == 200; });
a -= 30;   // here it does not hold
b += 30;)",
     "Change what belongs together under one lock that the invariant knows of, or in an atomic "
     "section."},
    {FindingKind::Temporal,
     "An execution breaks a property that heddle prove was asked about (--ltl): it may go on for "
     "ever, and what was to come does not come.",
     R"(heddle prove --ltl='G (waiting -> F served)' lock.c)",
     "Look at the part of the execution that repeats. If a thread only waits to be scheduled in "
     "it, "
     "ask for fair executions (--fair)."},
    {FindingKind::Nondeterminism,
     "The same schedule, repeated, went another way: the program depends on something that Heddle "
     "does not control.",
     R"(srand(time(NULL));   // or an address, a file, another process)",
     "Give random generators a fixed seed, leave out the real clock and the network, and use "
     "--scratch for files that the program writes."},
    {FindingKind::Death, "The process ended in the middle of a step, past every handler.",
     R"(kill(getpid(), SIGKILL);   // or _exit in a library)",
     "Look for what the program calls there."},
};

constexpr size_t kKinds = 0
#define X(enumerator, name, severity) +1
    HEDDLE_FINDING_KINDS(X)
#undef X
    ;
static_assert(std::size(kExplanations) == kKinds, "one for each kind");

const Explanation& find(FindingKind kind) {
  for (const Explanation& row : kExplanations)
    if (row.kind == kind) return row;
  return kExplanations[0];
}

std::string indented(std::string_view text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace

std::string explanation(FindingKind kind, const TextStyle& style) {
  const Explanation& row = find(kind);
  return fmt::format("{}\n{}\n{}\n{}\n\n{}\n{}",
                     painted(fmt::format("{}:", name(kind)), Paint::Bad, style),
                     wrapped(fmt::format("  {}\n", row.meaning), style),
                     painted("for example:", Paint::Strong, style), indented(row.example),
                     painted("what to do:", Paint::Strong, style),
                     wrapped(fmt::format("  {}\n", row.remedy), style));
}

std::string list_of_explanations() {
  std::string text;
  for (const Explanation& row : kExplanations) {
    std::string_view meaning = row.meaning;
    meaning = meaning.substr(0, meaning.find_first_of(".:("));
    meaning = meaning.substr(0, meaning.find_last_not_of(' ') + 1);
    text += fmt::format("{:<22} {}\n", name(row.kind), meaning);
  }
  return text;
}

}  // namespace heddle
