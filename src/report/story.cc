#include "report/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/dependence.h"
#include "report/causality.h"

namespace heddle {
namespace {

class Teller {
 public:
  explicit Teller(Narrator& narrator) : narrator_(narrator), trace_(narrator.trace()) {}

  Story tell() {
    for (const TraceThread& thread : trace_.threads) note_thread(thread.id, thread.parent);
    std::vector<std::vector<uint32_t>> edges = happens_before_edges(trace_.steps);
    for (size_t i = 0; i < trace_.steps.size(); ++i) {
      StoryStep step = retell(trace_.steps[i]);
      step.after = std::move(edges[i]);
      story_.steps.push_back(std::move(step));
    }
    note_accesses();
    for (const TraceThreadEnd& end : trace_.ends) story_.ends.push_back(retell(end));
    story_.failure_place = narrator_.place_of_failure();
    return std::move(story_);
  }

 private:
  int32_t note_thread(ThreadId id, ThreadId parent = kNoThread) {
    auto [entry, is_new] = threads_.try_emplace(id, static_cast<int32_t>(threads_.size()));
    if (is_new) story_.threads.push_back({id, narrator_.thread_name(id), parent});
    return entry->second;
  }

  int32_t note_object(const Action& action) {
    if (!has_object(action.op) || action.object == kNoAddress) return kNothing;
    return note_object(action.object, sort_of(action.op));
  }

  int32_t note_object(Address address, std::string_view sort) {
    auto [entry, is_new] = objects_.try_emplace(address, static_cast<int32_t>(objects_.size()));
    if (is_new)
      story_.objects.push_back({address, narrator_.object_name(address), std::string(sort),
                                narrator_.location(address)});
    return entry->second;
  }

  int32_t note_place(std::vector<Address> key, const Place& place) {
    int32_t number = kNothing;
    if (place.known()) {
      std::string text = place.path + ':' + std::to_string(place.line) + ':' +
                         std::to_string(place.column) + ' ' + place.function;
      auto [entry, is_new] = places_.try_emplace(text, static_cast<int32_t>(places_.size()));
      if (is_new) story_.places.push_back(place);
      number = entry->second;
    }
    known_places_.emplace(std::move(key), number);
    return number;
  }

  // Looking places up in the debug information is the slow part of a long story.
  template <class Recorded>
  int32_t place_of(const Recorded& recorded, const Action& action) {
    std::vector<Address> key = {Address{static_cast<uint64_t>(action.op)}, action.pc};
    key.insert(key.end(), recorded.stack.begin(), recorded.stack.end());
    if (auto known = known_places_.find(key); known != known_places_.end()) return known->second;
    return note_place(std::move(key), narrator_.place_of(recorded));
  }

  StoryStep retell(const TraceStep& recorded) {
    const Action& action = recorded.action;
    StoryStep step;
    step.thread = note_thread(action.thread);
    step.object = note_object(action);
    step.place = place_of(recorded, action);
    step.op = action.op;
    step.description = narrator_.description(recorded);
    step.choice = recorded.choice;
    step.choices = recorded.choices;
    step.preempts = recorded.preempts;
    note_locks(action, step);
    for (const Access& access : accesses_of(action))
      step.changes |= step.object != kNothing && access.mode == AccessMode::Changes;
    return step;
  }

  // The earlier ones first. Where every access is a step, that step is marked.
  void note_accesses() {
    for (const TraceEvidence& evidence : trace_.evidence) {
      const MarkRow* row = find_mark(evidence.role);
      if (row == nullptr || evidence.step == 0 || evidence.step > story_.steps.size()) continue;
      const bool races = trace_.failure.kind == FindingKind::DataRace;
      if (races && row->mark == AccessMark::Free) continue;  // an access stands for it
      if (is_free(evidence)) row = find_mark(EvidenceRole::Freed);
      StoryAccess access = retell(evidence, *row);
      const TraceStep& step = trace_.steps[access.step];
      StoryStep& told = story_.steps[access.step];
      if (step.action.pc == evidence.action.pc && step.action.object == evidence.action.object &&
          step.action.op == evidence.action.op && step.action.thread == evidence.action.thread) {
        told.marked = true;
        told.description = access.description;
      } else {
        story_.accesses.push_back(std::move(access));
      }
    }
    auto earlier = [](const StoryAccess& a, const StoryAccess& b) { return a.step < b.step; };
    std::stable_sort(story_.accesses.begin(), story_.accesses.end(), earlier);
  }

  // To free memory is to write to it, for the detection of races.
  bool is_free(const TraceEvidence& access) const {
    for (const TraceEvidence& other : trace_.evidence)
      if (other.role == EvidenceRole::Freed && access.role != EvidenceRole::Freed &&
          other.step == access.step && other.action.thread == access.action.thread &&
          other.stack == access.stack)
        return true;
    return false;
  }

  struct MarkRow {
    EvidenceRole role;
    AccessMark mark;
    std::string_view verb;  // "": that of the operation
  };

  static const MarkRow* find_mark(EvidenceRole role) {
    static constexpr MarkRow kMarks[] = {
        {EvidenceRole::EarlierAccess, AccessMark::Race, ""},
        {EvidenceRole::LaterAccess, AccessMark::Race, ""},
        {EvidenceRole::Freed, AccessMark::Free, "frees"},
        {EvidenceRole::BadAccess, AccessMark::Bad, ""},
        {EvidenceRole::BadFree, AccessMark::Bad, "frees"},
    };
    for (const MarkRow& row : kMarks)
      if (row.role == role) return &row;
    return nullptr;
  }

  StoryAccess retell(const TraceEvidence& evidence, const MarkRow& row) {
    const Action& action = evidence.action;
    StoryAccess access;
    access.step = evidence.step - 1;
    access.thread = note_thread(action.thread);
    access.object = note_object(action.object, "variable");
    access.place = note_place({action.pc, action.object}, narrator_.place_of(evidence));
    access.op = action.op;
    access.mark = row.mark;
    access.value = evidence.value;
    access.description = fmt::format("{} {}", row.verb.empty() ? verb(action.op) : row.verb,
                                     narrator_.object_name(action.object));
    if (evidence.value)
      access.description += fmt::format(" = {}", number_in_words(*evidence.value, action.size));
    return access;
  }

  // Its type is not known: small numbers of either sign are numbers, others may be addresses.
  static std::string number_in_words(uint64_t number, uint32_t bytes) {
    const unsigned shift = bytes >= 8 ? 0 : 64 - 8 * bytes;
    const auto signed_number = static_cast<int64_t>(number << shift) >> shift;
    constexpr int64_t kLarge = 1ll << 31;
    if (signed_number > -kLarge && signed_number < kLarge) return std::to_string(signed_number);
    return fmt::format("{:#x}", number);
  }

  StoryEnd retell(const TraceThreadEnd& recorded) {
    StoryEnd end;
    end.thread = note_thread(recorded.next.thread);
    end.object = note_object(recorded.next);
    end.place = place_of(recorded, recorded.next);
    end.description = narrator_.description(recorded.next);
    end.enabled = recorded.enabled;
    if (recorded.waits_for != kNoThread) end.waits_for = note_thread(recorded.waits_for);
    return end;
  }

  // Whether trylock succeeds is not in its action, but follows from who held the mutex. Recursive
  // locks count.
  void note_locks(const Action& action, StoryStep& step) {
    auto hold = [&](Address mutex, int by) {
      auto& [owner, depth] = held_[mutex];
      if (by > 0 && depth > 0 && owner != action.thread) return false;
      if (by < 0 && depth == 0) return false;
      owner = action.thread;
      depth += by;
      return by > 0 ? depth == 1 : depth == 0;
    };
    switch (operation(action.op).lock) {
      case LockEffect::Acquire:
      case LockEffect::TryAcquire:
        if (hold(action.object, 1)) step.acquires = step.object;
        break;
      case LockEffect::Release:
        if (hold(action.object, -1)) step.releases = step.object;
        break;
      case LockEffect::ReleaseSecond:
        if (action.second != kNoAddress && hold(action.second, -1))
          step.releases = note_object(action.second, "mutex");
        break;
      default:
        note_rwlock(action, step);
    }
  }

  // Likewise: whether it is had at once, or at the next try, follows from who holds it.
  void note_rwlock(const Action& action, StoryStep& step) {
    const Op op = action.op == Op::Retry ? static_cast<Op>(action.size) : action.op;
    const LockEffect effect = operation(op).lock;
    const bool reads = effect == LockEffect::AcquireRead;
    const bool writes = effect == LockEffect::AcquireWrite;
    if (reads || writes) {
      RwHolders& holders = rwlocks_[action.object];
      if (holders.written || (writes && !holders.threads.empty())) return;
      holders.written = writes;
      if (++holders.threads[action.thread] == 1) step.acquires = step.object;
    } else if (effect == LockEffect::ReleaseRw) {
      RwHolders& holders = rwlocks_[action.object];
      auto own = holders.threads.find(action.thread);
      if (own == holders.threads.end() || --own->second > 0) return;
      holders.threads.erase(own);
      holders.written = false;
      step.releases = step.object;
    }
  }

  struct RwHolders {
    std::map<ThreadId, int> threads;  // how often each holds it
    bool written = false;
  };

  Narrator& narrator_;
  const Trace& trace_;
  Story story_;
  std::map<ThreadId, int32_t> threads_;
  std::map<Address, int32_t> objects_;
  std::map<std::string, int32_t> places_;
  std::map<std::vector<Address>, int32_t> known_places_;
  std::map<Address, std::pair<ThreadId, int>> held_;
  std::map<Address, RwHolders> rwlocks_;
};

}  // namespace

Story tell(Narrator& narrator) {
  return Teller(narrator).tell();
}

std::string_view in_words(AccessMark mark) {
  switch (mark) {
    case AccessMark::Race:
      return "racing access";
    case AccessMark::Free:
      return "free";
    case AccessMark::Bad:
      return "bad access";
  }
  return "";
}

}  // namespace heddle
