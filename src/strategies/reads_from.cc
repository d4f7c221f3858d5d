#include "strategies/reads_from.h"

namespace heddle {
namespace {

uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

// An unlock reads from its own lock always, and a store from nobody.
Looked looks_at(const Action& action) {
  if (!operation(action.op).has(op_property::Reads)) return {};
  const Access first = *accesses_of(action).begin();
  return {true, {first.kind, first.begin}};
}

// Whoever takes a mutex next does so after an unlock.
bool can_be_read_from(const Action& action) {
  return !operation(action.op).has(op_property::Unread);
}

bool changes(const Action& action, const Resource& resource) {
  for (const Access& access : accesses_of(action))
    if (access.mode == AccessMode::Changes && Resource{access.kind, access.begin} == resource)
      return true;
  return false;
}

StepClass class_of(const Action& action) {
  const uint64_t place = scramble(value(action.pc) + 0x9e3779b97f4a7c15);
  return scramble(place + value(action.object) * 31 + static_cast<uint64_t>(action.op)) | 1;
}

void ReadsFrom::begin_execution() {
  last_.clear();
  changed_.clear();
}

ReadsFrom::Change ReadsFrom::last_change(const Resource& resource) const {
  const auto found = last_.find(resource);
  return found == last_.end() ? Change{} : found->second;
}

void ReadsFrom::take(const Action& action) {
  const StepClass own = class_of(action);
  if (const Looked looked = looks_at(action); looked.any) {
    if (Known* known = know(looked.resource, action.thread); known != nullptr) {
      learn_reader(looked.resource, *known, own);
      learn_habit(own, action.thread, !changed_.contains({looked.resource, action.thread}));
      const Change source = last_change(looked.resource);
      if (known->shared && source.thread != action.thread)
        seen_.insert({looked.resource, own, source.by});
    }
  }
  for (const Access& access : accesses_of(action)) {
    const Resource resource{access.kind, access.begin};
    if (access.mode != AccessMode::Changes || access.kind == ResourceKind::Thread) continue;
    Known* known = know(resource, action.thread);
    if (known == nullptr) continue;
    if (can_be_read_from(action)) learn_writer(resource, *known, own);
    learn_habit(own, action.thread, false);
    changed_.emplace(resource, action.thread);
    last_[resource] = {own, action.thread};
  }
}

ReadsFrom::Known* ReadsFrom::know(const Resource& resource, ThreadId thread) {
  auto found = known_.find(resource);
  if (found == known_.end()) {
    if (known_.size() == kMostThings) return nullptr;
    found = known_.emplace(resource, Known{}).first;
    found->second.first = thread;
  }
  Known& known = found->second;
  if (!known.shared && known.first != thread) {
    known.shared = true;
    for (const StepClass reader : known.readers) {
      propose(resource, reader, kNobody);
      for (const StepClass writer : known.writers) propose(resource, reader, writer);
    }
  }
  return &known;
}

void ReadsFrom::learn_reader(const Resource& resource, Known& known, StepClass reader) {
  if (!known.readers.insert(reader).second || !known.shared) return;
  propose(resource, reader, kNobody);
  for (const StepClass writer : known.writers) propose(resource, reader, writer);
}

void ReadsFrom::learn_writer(const Resource& resource, Known& known, StepClass writer) {
  if (!known.writers.insert(writer).second || !known.shared) return;
  for (const StepClass reader : known.readers) propose(resource, reader, writer);
}

void ReadsFrom::learn_habit(StepClass own, ThreadId thread, bool saw_the_beginning) {
  Habit& habit = habits_[own];
  habit.by_several |= habit.only != kNoThread && habit.only != thread;
  habit.only = thread;
  habit.saw_the_beginning |= saw_the_beginning;
}

bool ReadsFrom::plausible(const ReadsFromPair& pair) const {
  const Habit& reader = habits_.at(pair.reader);
  if (pair.writer == kNobody) return reader.saw_the_beginning;
  const Habit& writer = habits_.at(pair.writer);
  return reader.by_several || writer.by_several || reader.only != writer.only;
}

void ReadsFrom::propose(const Resource& resource, StepClass reader, StepClass writer) {
  if (proposed_ == kMostCandidates) return;
  ++proposed_;
  candidates_.push_back({resource, reader, writer});
}

}  // namespace heddle
