// What reads from what: the pairs a sampler has seen, and those that it has not but could.
//
// A step that looks at a resource (reads a variable, takes a mutex, waits on a condition) reads
// from the last step that changed it, or from nobody. Steps are told apart by operation, place in
// the code and resource, and by those of the thread's step before (a wrapper around a lock is one
// place for all who call it), but not by thread: a hundred threads that run the same code are one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "model/dependence.h"

namespace heddle {

using Resource = std::pair<ResourceKind, uint64_t>;
using StepClass = uint64_t;  // operation, place, resource
inline constexpr StepClass kNobody = 0;

struct ReadsFromPair {
  Resource resource;
  StepClass reader = kNobody;
  StepClass writer = kNobody;  // kNobody: the resource as it was at the beginning
  friend bool operator<(const ReadsFromPair& a, const ReadsFromPair& b) {
    return std::tie(a.resource, a.reader, a.writer) < std::tie(b.resource, b.reader, b.writer);
  }
};

// The resource through which an action can read from another, if it can at all.
struct Looked {
  bool any = false;
  Resource resource;
};
Looked looks_at(const Action& action);
// Whether a later step on the resource can read from this one.
bool can_be_read_from(const Action& action);
bool changes(const Action& action, const Resource& resource);
StepClass class_of(const Action& action);

class ReadsFrom {
 public:
  void begin_execution();
  void take(const Action& action);  // it is taken now

  // Last change of the resource in the execution under way.
  struct Change {
    StepClass by = kNobody;
    ThreadId thread = kNoThread;
  };
  Change last_change(const Resource& resource) const;

  bool seen(const ReadsFromPair& pair) const { return seen_.contains(pair); }
  // False if no execution up to now suggests that the pair can be: both are steps of one thread
  // only, or the reader's own thread has always changed the resource before.
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
    bool saw_the_beginning = false;  // once, its own thread had not changed the resource before
  };
  static constexpr size_t kMostThings = 4096, kMostCandidates = 65536;

  Known* know(const Resource& resource, ThreadId thread);
  void learn_reader(const Resource& resource, Known& known, StepClass reader);
  void learn_writer(const Resource& resource, Known& known, StepClass writer);
  void learn_habit(StepClass own, ThreadId thread, bool saw_the_beginning);
  void propose(const Resource& resource, StepClass reader, StepClass writer);

  std::map<Resource, Known> known_;
  std::map<StepClass, Habit> habits_;
  // In the execution under way.
  std::set<std::pair<Resource, ThreadId>> changed_;
  std::map<Resource, Change> last_;
  std::set<ReadsFromPair> seen_;
  std::vector<ReadsFromPair> candidates_;
  size_t proposed_ = 0;
};

}  // namespace heddle
