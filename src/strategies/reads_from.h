// What reads from what: the pairs a sampler has seen, and those that it has not but could.
//
// A step that looks at a thing (reads a variable, takes a mutex, waits on a condition) reads from
// the last step that changed it, or from nobody. Steps are told apart by operation, place in the
// code and thing, and by those of the thread's step before (a wrapper around a lock is one place
// for all who call it), but not by thread: a hundred threads that run the same code are one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/dependence.h"

namespace heddle {

using Thing = std::pair<ThingKind, uint64_t>;
using StepClass = uint64_t;  // operation, place, thing
inline constexpr StepClass kNobody = 0;

struct ReadsFromPair {
  Thing thing;
  StepClass reader = kNobody;
  StepClass writer = kNobody;  // kNobody: the thing as it was at the beginning
  friend bool operator<(const ReadsFromPair& a, const ReadsFromPair& b) {
    return std::tie(a.thing, a.reader, a.writer) < std::tie(b.thing, b.reader, b.writer);
  }
};

// The thing through which an action can read from another, if it can at all.
struct Looked {
  bool any = false;
  Thing thing;
};
Looked looks_at(const Action& action);
// Whether a later step on the thing can read from this one.
bool can_be_read_from(const Action& action);
bool changes(const Action& action, const Thing& thing);
StepClass class_of(const Action& action);

class ReadsFrom {
 public:
  void begin_execution();
  void take(const Action& action);  // it is taken now

  // Last change of the thing in the execution under way.
  struct Change {
    StepClass by = kNobody;
    ThreadId thread = kNoThread;
  };
  Change last_change(const Thing& thing) const;

  bool seen(const ReadsFromPair& pair) const { return seen_.contains(pair); }
  // False if no execution up to now suggests that the pair can be: both are steps of one thread
  // only, or the reader's own thread has always changed the thing before.
  bool plausible(const ReadsFromPair& pair) const;
  // Pairs that came into question since this was last asked.
  std::vector<ReadsFromPair> new_candidates() { return std::exchange(candidates_, {}); }

 private:
  struct Known {
    ThreadId first = kNoThread;  // who touched it first, ever
    bool shared = false;
    std::set<StepClass> readers, writers;
  };
  struct Habit {                // of a class of steps
    ThreadId only = kNoThread;  // the one thread that took such steps
    bool by_several = false;
    bool saw_the_beginning = false;  // once, its own thread had not changed the thing before
  };
  static constexpr size_t kMostThings = 4096, kMostCandidates = 65536;

  Known* know(const Thing& thing, ThreadId thread);
  void learn_reader(const Thing& thing, Known& known, StepClass reader);
  void learn_writer(const Thing& thing, Known& known, StepClass writer);
  void learn_habit(StepClass own, ThreadId thread, bool saw_the_beginning);
  void propose(const Thing& thing, StepClass reader, StepClass writer);

  std::map<Thing, Known> known_;
  std::map<StepClass, Habit> habits_;
  // In the execution under way.
  std::set<std::pair<Thing, ThreadId>> changed_;
  std::map<Thing, Change> last_;
  std::set<ReadsFromPair> seen_;
  std::vector<ReadsFromPair> candidates_;
  size_t proposed_ = 0;
};

}  // namespace heddle
