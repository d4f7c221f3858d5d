// Threads and synchronisation: what each thread knows of the others, as vector clocks.
//
// The problem. An execution at hand is one of the orders in which its accesses could have been
// made; a race is there if some other order that respects all synchronisation has two conflicting
// accesses side by side. Reporting exactly these needs the happens-before relation itself, not
// locksets.
//
// The idea (Flanagan, Freund: FastTrack, PLDI 2009). Thread t's clock C[t] says up to which of its
// own clocks it knows each other thread. A release copies it to the object, an acquire takes the
// maximum. A thread's own clock moves on after each release, so all its accesses between two
// releases share one epoch (thread, clock), and an epoch happens before what t does next if
// C[t][thread] has reached the clock: one comparison in place of a vector.
//
// Atomics (C++11 1.10, 29.8). A store heads a release sequence, which others' updates and the same
// thread's stores prolong; an acquire load learns from every head of the sequence it reads from. A
// relaxed operation behaves the same with what the thread knew at its last release fence; what
// relaxed loads see is kept for the next acquire fence. Executions are sequentially consistent, so
// the value that is read is the last one written. Sequentially consistent operations add nothing
// that others could learn but by reading. Conditions pass nothing on by themselves, since a wait
// may return without a signal: their mutex does.
//
// Where we deviate. Clocks come from one counter that is never set back, so nothing need be cleared
// between executions: what an earlier one left in shadow memory or in a clock lies below its base.
// And clocks are not compared where the answer is known. A thread passes on all that it knows, and
// its own clock moves on each time: so who knows of thread t's clock c knows all that t passed on
// with it, and a lock that the same thread takes again and again costs the same however many
// threads there are.
#include "races/race_detector.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

constexpr uint64_t kPoolBytes = 8ull << 30;

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::Consume ||
         order == MemoryOrder::AcqRel || order == MemoryOrder::SeqCst;
}

bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}

}  // namespace

void RaceDetector::initialise(ReserveMemory reserve, RaceSink* sink) {
  constexpr uint64_t kClocks = uint64_t{kMostRaceThreads} * kRowWords;
  shadow_.initialise(reserve);
  objects_.initialise(reserve);
  pool_.initialise(reserve, kPoolBytes);
  learned_ = static_cast<uint64_t*>(reserve(kMostRaceThreads * sizeof(uint64_t)));
  rows_ = static_cast<uint64_t*>(reserve(kClocks * sizeof(uint64_t)));
  fences_ = static_cast<Fences*>(reserve(kMostRaceThreads * sizeof(Fences)));
  sink_ = sink;
  begin_execution();
}

void RaceDetector::begin_execution() {
  base_ = clock_;
  first_ = make_epoch(ThreadId{kMostRaceThreads - 1}, base_) | 0x1ff;
  pool_.clear();
  spare_lists_ = nullptr;
  objects_.begin_execution(base_ + 1);
  benign_count_ = 0;
  too_many_benign_ = false;
  threads_ = 1;
  row(kMainThread)[0] = learned_[0] = ++clock_;
  switch_to(kMainThread);
}

void RaceDetector::tick() {
  HEDDLE_CHECK(clock_ < kLastClock);
  row_[index(self_)] = ++clock_;
  epoch_ = make_epoch(self_, clock_);
}

void RaceDetector::learn(std::span<const uint64_t> clock) {
  learned_[index(self_)] = row_[index(self_)];
  for (size_t i = 0; i < clock.size(); ++i) row_[i] = std::max(row_[i], clock[i]);
}

void RaceDetector::thread_created(ThreadId child) {
  HEDDLE_CHECK(index(child) < kMostRaceThreads);
  threads_ = std::max(threads_, index(child) + 1);
  uint64_t* theirs = row(child);
  std::copy(row_, row_ + threads_, theirs);
  theirs[index(child)] = learned_[index(child)] = ++clock_;
  tick();
}

void RaceDetector::thread_joined(ThreadId ended) {
  learn({row(ended), threads_});
}

void RaceDetector::acquire(Address object) {
  if (ignores_synchronisation()) return;
  const SyncObject* known = objects_.find(object);
  if (known != nullptr && !knows(*known)) learn(known->released.values());
}

void RaceDetector::pass_on(SyncObject& object) {
  const size_t self = index(self_);
  const bool again = object.releaser == self_ && learned_[self] <= object.released_at;
  const bool all = again || object.released.empty() || knows(object);
  if (again)
    object.released.set(self, row_[self]);
  else if (all)
    object.released.assign(own_clock(), pool_);
  else
    object.released.merge(own_clock(), pool_);
  object.releaser = all ? self_ : kNoThread;
  object.released_at = row_[self];
}

void RaceDetector::release(Address object) {
  if (ignores_synchronisation()) return;
  if (SyncObject* known = objects_.make(object)) {
    pass_on(*known);
    known->head = kNoThread;
    known->heads = nullptr;
  }
  tick();
}

void RaceDetector::release_shared(Address object) {
  if (ignores_synchronisation()) return;
  if (SyncObject* known = objects_.make(object, SyncTable::Part::Shared))
    known->released.merge(own_clock(), pool_);
  tick();
}

void RaceDetector::acquire_all(Address object) {
  if (ignores_synchronisation()) return;
  acquire(object);
  if (const SyncObject* known = objects_.find(object, SyncTable::Part::Shared))
    learn(known->released.values());
}

void RaceDetector::forget(Address object) {
  for (SyncTable::Part part : {SyncTable::Part::Whole, SyncTable::Part::Shared}) {
    SyncObject* known = objects_.find(object, part);
    if (known == nullptr) continue;
    known->released.clear();
    known->releaser = kNoThread;
    known->head = kNoThread;
    known->heads = nullptr;
  }
}

RaceDetector::Fences& RaceDetector::fences() {
  Fences& mine = fences_[index(self_)];
  if (mine.execution != base_ + 1) mine = {base_ + 1, 0, 0, 0, {}, {}};
  return mine;
}

void RaceDetector::fence(MemoryOrder order) {
  Fences& mine = fences();
  if (acquires(order)) learn(mine.seen.values());
  if (!releases(order)) return;
  mine.released.assign(own_clock(), pool_);
  tick();
}

// What an operation that modifies an atomic with this order lets others learn.
std::span<const uint64_t> RaceDetector::contribution(MemoryOrder order) {
  return releases(order) ? own_clock() : fences().released.values();
}

void RaceDetector::synchronise_load(const SyncObject* object, MemoryOrder order) {
  if (object == nullptr || object->released.empty()) return;
  if (acquires(order))
    learn(object->released.values());
  else
    fences().seen.merge(object->released.values(), pool_);
}

void RaceDetector::atomic_load(Address object, uint32_t size, MemoryOrder order, Address pc) {
  synchronise_load(objects_.find(object), order);
  access(value(object), size, AccessKind::AtomicRead, pc);
}

void RaceDetector::atomic_store(Address object, uint32_t size, MemoryOrder order, Address pc) {
  access(value(object), size, AccessKind::AtomicWrite, pc);
  std::span<const uint64_t> clock = contribution(order);
  SyncObject* known = clock.empty() ? objects_.find(object) : objects_.make(object);
  if (known != nullptr) head_sequence(*known, clock);
  if (releases(order)) tick();
}

void RaceDetector::atomic_update(Address object, uint32_t size, MemoryOrder order, Address pc) {
  synchronise_load(objects_.find(object), order);
  access(value(object), size, AccessKind::AtomicWrite, pc);
  std::span<const uint64_t> clock = contribution(order);
  if (!clock.empty())
    if (SyncObject* known = objects_.make(object)) join_sequence(*known, clock);
  if (releases(order)) tick();
}

// A store: of all sequences, only one that this thread headed before goes on.
void RaceDetector::head_sequence(SyncObject& object, std::span<const uint64_t> clock) {
  object.releaser = kNoThread;
  const ReleaseHead* own = object.heads;
  while (own != nullptr && own->thread != self_) own = own->next;
  if (own != nullptr)
    object.released.assign(own->clock.values(), pool_);
  else if (object.heads != nullptr || object.head != self_)
    object.released.clear();
  object.released.merge(clock, pool_);
  object.head = self_;
  object.heads = nullptr;
}

void RaceDetector::join_sequence(SyncObject& object, std::span<const uint64_t> clock) {
  object.releaser = kNoThread;
  if (object.heads == nullptr && (object.head == self_ || object.released.empty())) {
    object.head = self_;
  } else {
    if (object.heads == nullptr && object.head != kNoThread)
      add_head(object, object.head, object.released.values());
    add_head(object, self_, clock);
  }
  object.released.merge(clock, pool_);
}

void RaceDetector::add_head(SyncObject& object, ThreadId thread, std::span<const uint64_t> clock) {
  ReleaseHead* head = object.heads;
  while (head != nullptr && head->thread != thread) head = head->next;
  if (head == nullptr) {
    head = pool_.take<ReleaseHead>(1);
    if (head == nullptr) return;
    *head = {object.heads, thread, {}};
    object.heads = head;
  }
  head->clock.merge(clock, pool_);
}

void RaceDetector::ignore(AccessKind kind, bool begin) {
  uint32_t& depth = writes(kind) ? fences().ignored_writes : fences().ignored_reads;
  if (begin)
    ++depth;
  else if (depth > 0)
    --depth;
}

void RaceDetector::ignore_synchronisation(bool begin) {
  uint32_t& depth = fences().ignored_synchronisation;
  if (begin)
    ++depth;
  else if (depth > 0)
    --depth;
}

void RaceDetector::benign(Address begin, uint64_t size) {
  too_many_benign_ = too_many_benign_ || benign_count_ == kMostBenign;
  if (!too_many_benign_) benign_[benign_count_++] = {value(begin), value(begin) + size};
}

bool RaceDetector::is_benign(uint64_t begin, uint64_t end) const {
  return std::any_of(benign_, benign_ + benign_count_,
                     [&](const Range& range) { return begin < range.end && range.begin < end; });
}

}  // namespace heddle
