// The detector against the definition. Random programs run under random schedules; the oracle keeps
// every event, derives synchronises-with from the words of the standard, closes it transitively and
// compares all pairs. Both must name the same first racing access for every byte.
#include "races/race_detector.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <bitset>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace heddle {
namespace {

void* reserve(uint64_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

enum class EventKind {
  Read,
  Write,
  Load,
  Store,
  Update,
  Fence,
  Lock,
  Unlock,
  ReadLock,
  ReadUnlock,
  Post,  // as of a semaphore: whoever takes later learns of all posts before
  Take,
  Spawn,
  Join
};

struct Step {
  EventKind kind = EventKind::Read;
  uint64_t object = 0;  // address, mutex or thread
  uint32_t size = 0;
  MemoryOrder order = MemoryOrder::SeqCst;
};

struct Event {
  uint32_t thread = 0;
  Step step;
};

constexpr uint64_t kMemory = 0x10000;  // 24 bytes; atomics in the last 16 of them
constexpr size_t kMostEvents = 256;
using Set = std::bitset<kMostEvents>;

bool is_access(EventKind kind) {
  return kind <= EventKind::Update;
}
bool modifies(EventKind kind) {
  return kind == EventKind::Store || kind == EventKind::Update;
}
bool observes(EventKind kind) {
  return kind == EventKind::Load || kind == EventKind::Update;
}
AccessKind kind_of(EventKind kind) {
  switch (kind) {
    case EventKind::Read:
      return AccessKind::Read;
    case EventKind::Write:
      return AccessKind::Write;
    case EventKind::Load:
      return AccessKind::AtomicRead;
    default:
      return AccessKind::AtomicWrite;
  }
}
bool acquires(MemoryOrder order) {
  return order != MemoryOrder::Relaxed && order != MemoryOrder::Release;
}
bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}

// By definition, quadratic and cubic.
class Oracle {
 public:
  void add(const Event& event) {
    size_t now = events_.size();
    events_.push_back(event);
    before_.emplace_back();
    for (size_t past = 0; past < now; ++past)
      if (directly_before(past, now)) before_[now] |= Set(before_[past]).set(past);
    if (is_access(event.step.kind)) compare(now);
  }
  const std::map<uint64_t, size_t>& first_races() const { return races_; }

 private:
  bool directly_before(size_t a, size_t b) const {
    const Event &x = events_[a], &y = events_[b];
    if (x.thread == y.thread) return true;
    EventKind one = x.step.kind, other = y.step.kind;
    if (one == EventKind::Spawn && x.step.object == y.thread) return true;
    if (other == EventKind::Join && y.step.object == x.thread) return true;
    bool same = x.step.object == y.step.object;
    if (one == EventKind::Spawn && other == EventKind::Join)
      return same;  // of a thread that did nothing
    if (one == EventKind::Unlock && (other == EventKind::Lock || other == EventKind::ReadLock))
      return same;
    if (one == EventKind::ReadUnlock && other == EventKind::Lock) return same;
    if (one == EventKind::Post && other == EventKind::Take) return same;
    return synchronises(a, b);
  }

  // Release operations and fences with acquire operations and fences (29.8 [atomics.fences]).
  bool synchronises(size_t a, size_t b) const {
    for (size_t x = a; x < b; ++x) {
      if (!stands_for_release(a, x)) continue;
      for (size_t y = x + 1; y <= b; ++y)
        if (stands_for_acquire(y, b) && reads_from_sequence(x, y)) return true;
    }
    return false;
  }
  // x is the release operation a, or an atomic store after the release fence a.
  bool stands_for_release(size_t a, size_t x) const {
    const Event &first = events_[a], &then = events_[x];
    if (!modifies(then.step.kind) || !releases(first.step.order)) return false;
    return a == x || (first.step.kind == EventKind::Fence && first.thread == then.thread);
  }
  bool stands_for_acquire(size_t y, size_t b) const {
    const Event &first = events_[y], &then = events_[b];
    if (!observes(first.step.kind) || !acquires(then.step.order)) return false;
    return y == b || (then.step.kind == EventKind::Fence && first.thread == then.thread);
  }
  // y reads what x wrote or what its release sequence wrote.
  bool reads_from_sequence(size_t x, size_t y) const {
    uint64_t object = events_[x].step.object;
    if (events_[y].step.object != object) return false;
    for (size_t i = x + 1; i < y; ++i) {
      const Event& event = events_[i];
      if (!modifies(event.step.kind) || event.step.object != object) continue;
      if (event.thread != events_[x].thread && event.step.kind != EventKind::Update) return false;
    }
    return true;
  }

  void compare(size_t now) {
    const Event& later = events_[now];
    for (size_t past = 0; past < now; ++past) {
      const Event& earlier = events_[past];
      if (!is_access(earlier.step.kind) || earlier.thread == later.thread) continue;
      if (before_[now].test(past)) continue;
      if (!conflict(kind_of(earlier.step.kind), kind_of(later.step.kind))) continue;
      uint64_t begin = std::max(earlier.step.object, later.step.object);
      uint64_t end =
          std::min(earlier.step.object + earlier.step.size, later.step.object + later.step.size);
      for (uint64_t byte = begin; byte < end; ++byte) races_.try_emplace(byte, now);
    }
  }

  std::vector<Event> events_;
  std::vector<Set> before_;  // happens before
  std::map<uint64_t, size_t> races_;
};

// Runs the same events through the detector.
class Detected final : public RaceSink {
 public:
  Detected() { detector_.initialise(reserve, this); }

  void begin() {
    detector_.begin_execution();
    races_.clear();
    now_ = 0;
  }
  void add(const Event& event) {
    const Step& step = event.step;
    Address object{step.object}, pc{now_ + 1};
    detector_.switch_to(ThreadId{event.thread});
    switch (step.kind) {
      case EventKind::Read:
        plain(step, AccessKind::Read, pc);
        break;
      case EventKind::Write:
        plain(step, AccessKind::Write, pc);
        break;
      case EventKind::Load:
        detector_.atomic_load(object, step.size, step.order, pc);
        break;
      case EventKind::Store:
        detector_.atomic_store(object, step.size, step.order, pc);
        break;
      case EventKind::Update:
        detector_.atomic_update(object, step.size, step.order, pc);
        break;
      case EventKind::Fence:
        detector_.fence(step.order);
        break;
      case EventKind::Lock:
        detector_.acquire_all(object);
        break;
      case EventKind::ReadLock:
      case EventKind::Take:
        detector_.acquire(object);
        break;
      case EventKind::Unlock:
      case EventKind::Post:
        detector_.release(object);
        break;
      case EventKind::ReadUnlock:
        detector_.release_shared(object);
        break;
      case EventKind::Spawn:
        detector_.thread_created(ThreadId{static_cast<uint32_t>(step.object)});
        break;
      case EventKind::Join:
        detector_.thread_joined(ThreadId{static_cast<uint32_t>(step.object)});
        break;
    }
    ++now_;
  }

  void race_found(const Race& race) override {
    EXPECT_EQ(value(race.later.pc), now_ + 1);
    EXPECT_LT(value(race.earlier.pc), value(race.later.pc));
    EXPECT_NE(race.bytes, 0);
    for (unsigned i = 0; i < 8; ++i)
      if ((race.bytes >> i & 1) != 0) races_.try_emplace(race.granule + i, now_);
  }
  const std::map<uint64_t, size_t>& first_races() const { return races_; }

 private:
  void plain(const Step& step, AccessKind kind, Address pc) {
    if (step.size > 8 || !detector_.is_known(step.object, step.size, kind))
      detector_.access(step.object, step.size, kind, pc);
  }

  RaceDetector detector_;
  std::map<uint64_t, size_t> races_;
  size_t now_ = 0;
};

// A program and one of its executions at once: each thread does what comes to its mind and is
// possible.
class Execution {
 public:
  explicit Execution(uint64_t seed) : random_(seed), shy_(below(4)), passes_on_(below(2) == 0) {
    threads_.push_back({});
  }

  std::vector<Event> run() {
    std::vector<Event> events;
    size_t length = 5 + below(passes_on_ ? 120 : 60);
    while (events.size() < length) {
      uint32_t thread = below(static_cast<uint32_t>(threads_.size()));
      if (threads_[thread].ended) continue;
      Step step = next(thread);
      if (possible(thread, step)) {
        carry_out(thread, step);
        events.push_back({thread, step});
      }
    }
    return events;
  }

 private:
  static constexpr uint32_t kMutexes = 2;
  struct Thread {
    bool ended = false, joined = false;
    int held[kMutexes] = {};  // 1 shared, 2 exclusive
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_.below(n)); }
  uint64_t mutex(uint32_t number) { return 0x20000 + number * 64; }
  static uint32_t number_of(uint64_t mutex) { return static_cast<uint32_t>(mutex - 0x20000) / 64; }

  Step next(uint32_t thread) {
    constexpr MemoryOrder kOrders[] = {MemoryOrder::Relaxed, MemoryOrder::Acquire,
                                       MemoryOrder::Release, MemoryOrder::AcqRel,
                                       MemoryOrder::SeqCst};
    Step step;
    step.order = kOrders[below(5)];
    // Where most accesses race soon, nobody sees what becomes of knowledge that takes long ways.
    const bool calm = passes_on_ && below(12) != 0;
    if (passes_on_ && threads_.size() < 4) return {EventKind::Spawn, threads_.size(), 0, {}};
    uint32_t what = calm ? 16 + below(13) : below(29);
    if (what < 8) return plain(what % 2 == 0 ? EventKind::Read : EventKind::Write);
    if (what < 15) {
      constexpr EventKind kAtomics[] = {EventKind::Load, EventKind::Store, EventKind::Update};
      step.kind = kAtomics[below(3)];
      step.object = kMemory + 8 + 8 * below(2);
      step.size = step.object % 16 == 0 ? 8 : 4;
      return step;
    }
    uint32_t lock = below(kMutexes);
    if (what < 16) return {EventKind::Fence, 0, 0, step.order};
    if (what < 18) return {EventKind::Lock, mutex(lock), 0, {}};
    if (what < 19) return {EventKind::ReadLock, mutex(lock), 0, {}};
    if (what < 22) return unlock(thread, lock);
    if (what < 23) return {EventKind::Spawn, threads_.size(), 0, {}};
    if (what < 24) return {EventKind::Join, 1 + below(4), 0, {}};
    return {what < 27 ? EventKind::Post : EventKind::Take, 0x30000 + 64 * below(3), 0, {}};
  }
  Step plain(EventKind kind) {
    constexpr uint32_t kSizes[] = {1, 2, 4, 4, 8, 8, 16, 3};
    Step step;
    step.kind = kind;
    step.size = kSizes[below(8)];
    // Some programs keep away from their atomics with plain accesses.
    uint32_t room = shy_ == 0 ? 24 : shy_ == 1 ? 8 : 16;
    if (step.size > room) step.size = 8;
    step.object = kMemory + below(room - step.size + 1);
    if (below(3) != 0) step.object -= step.object % step.size;
    if (step.object < kMemory) step.object = kMemory;
    return step;
  }
  Step unlock(uint32_t thread, uint32_t lock) {
    bool shared = threads_[thread].held[lock] == 1;
    return {shared ? EventKind::ReadUnlock : EventKind::Unlock, mutex(lock), 0, {}};
  }

  bool possible(uint32_t thread, const Step& step) {
    switch (step.kind) {
      case EventKind::Lock:
        return free_for(number_of(step.object), 1);
      case EventKind::ReadLock:
        return free_for(number_of(step.object), 2) &&
               threads_[thread].held[number_of(step.object)] == 0;
      case EventKind::Unlock:
      case EventKind::ReadUnlock:
        return threads_[thread].held[number_of(step.object)] != 0;
      case EventKind::Spawn:
        return threads_.size() < 5;
      case EventKind::Join:
        return step.object < threads_.size() && step.object != thread &&
               !threads_[step.object].joined && idle(threads_[step.object]);
      default:
        return true;
    }
  }
  bool free_for(uint32_t lock, int least) const {
    for (const Thread& thread : threads_)
      if (thread.held[lock] >= least) return false;
    return true;
  }
  static bool idle(const Thread& thread) { return thread.held[0] == 0 && thread.held[1] == 0; }

  void carry_out(uint32_t thread, const Step& step) {
    switch (step.kind) {
      case EventKind::Lock:
        threads_[thread].held[number_of(step.object)] = 2;
        break;
      case EventKind::ReadLock:
        threads_[thread].held[number_of(step.object)] = 1;
        break;
      case EventKind::Unlock:
      case EventKind::ReadUnlock:
        threads_[thread].held[number_of(step.object)] = 0;
        break;
      case EventKind::Spawn:
        threads_.push_back({});
        break;
      case EventKind::Join:
        threads_[step.object].ended = threads_[step.object].joined = true;
        break;
      default:
        break;
    }
  }

  Random random_;
  uint32_t shy_;
  bool passes_on_;  // what it knows, more than it accesses memory
  std::vector<Thread> threads_;
};

std::string to_text(const std::vector<Event>& events) {
  std::string text;
  for (size_t i = 0; i < events.size(); ++i) {
    const Step& step = events[i].step;
    text += std::to_string(i) + ": thread " + std::to_string(events[i].thread) + " kind " +
            std::to_string(static_cast<int>(step.kind)) + " object " + std::to_string(step.object) +
            " size " + std::to_string(step.size) + " order " +
            std::to_string(static_cast<int>(step.order)) + "\n";
  }
  return text;
}

TEST(RaceDetector, AgreesWithTheDefinitionOnRandomPrograms) {
  Detected detected;
  size_t with = 0, without = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    std::vector<Event> events = Execution(seed).run();
    Oracle oracle;
    detected.begin();
    for (const Event& event : events) {
      oracle.add(event);
      detected.add(event);
    }
    ASSERT_EQ(detected.first_races(), oracle.first_races()) << "seed " << seed << "\n"
                                                            << to_text(events);
    ++(oracle.first_races().empty() ? without : with);
  }
  EXPECT_GT(with, 500u);
  EXPECT_GT(without, 500u);
}

class Counting final : public RaceSink {
 public:
  void race_found(const Race& race) override {
    ++races;
    last = race;
  }
  size_t races = 0;
  Race last;
};

struct DetectorFixture : testing::Test {
  DetectorFixture() { detector.initialise(reserve, &sink); }
  void as(uint32_t thread) { detector.switch_to(ThreadId{thread}); }
  void read(uint64_t address, uint32_t size, Address pc) {
    if (!detector.is_known(address, size, AccessKind::Read))
      detector.access(address, size, AccessKind::Read, pc);
  }
  void write(uint64_t address, uint32_t size, Address pc) {
    if (!detector.is_known(address, size, AccessKind::Write))
      detector.access(address, size, AccessKind::Write, pc);
  }
  void two_threads() {
    detector.begin_execution();
    detector.thread_created(ThreadId{1});
    detector.thread_created(ThreadId{2});
  }
  Counting sink;
  RaceDetector detector;
};

TEST_F(DetectorFixture, SaysWhoAndWhere) {
  two_threads();
  as(1);
  write(kMemory + 4, 4, Address{11});
  as(2);
  read(kMemory + 4, 4, Address{22});
  ASSERT_EQ(sink.races, 1u);
  EXPECT_EQ(sink.last.earlier.thread, ThreadId{1});
  EXPECT_EQ(sink.last.earlier.kind, AccessKind::Write);
  EXPECT_EQ(sink.last.earlier.pc, Address{11});
  EXPECT_EQ(sink.last.later.pc, Address{22});
  EXPECT_EQ(value(sink.last.later.begin), kMemory + 4);
  EXPECT_EQ(sink.last.later.size, 4u);
}

TEST_F(DetectorFixture, ForgetsEarlierExecutions) {
  for (int i = 0; i < 3; ++i) {
    two_threads();
    as(1 + i % 2);
    write(kMemory, 8, Address{1});
    detector.release(Address{kMemory + 64});
    as(1);
    detector.acquire(Address{kMemory + 64});
  }
  EXPECT_EQ(sink.races, 0u);
}

TEST_F(DetectorFixture, HonoursAnnotations) {
  two_threads();
  detector.benign(Address{kMemory}, 8);
  as(1);
  write(kMemory, 4, Address{1});
  as(2);
  write(kMemory, 4, Address{2});
  EXPECT_EQ(sink.races, 0u);
  detector.ignore(AccessKind::Write, true);
  write(kMemory + 8, 4, Address{3});
  detector.ignore(AccessKind::Write, false);
  as(1);
  write(kMemory + 8, 4, Address{4});
  EXPECT_EQ(sink.races, 0u);
  as(2);
  write(kMemory + 8, 4, Address{5});
  EXPECT_EQ(sink.races, 1u);
}

// What is lost when there is no room must not look like a race.
// As annotations may have it: what a store leaves behind is not what the thread before has passed
// on.
TEST_F(DetectorFixture, PassesOnAllOfItAfterAStoreToTheSameObject) {
  constexpr Address kFirst{0x20000}, kOther{0x20040};
  two_threads();
  as(2);
  write(kMemory, 4, Address{1});
  detector.release(kFirst);
  as(1);
  detector.acquire(kFirst);
  detector.release(kOther);
  as(0);
  detector.atomic_store(kOther, 4, MemoryOrder::Release, Address{2});
  as(1);
  detector.release(kOther);
  as(0);
  detector.acquire(kOther);
  read(kMemory, 4, Address{3});
  EXPECT_EQ(sink.races, 0u);
}

TEST_F(DetectorFixture, SaysWhenThereIsNoRoom) {
  two_threads();
  as(1);
  EXPECT_FALSE(detector.out_of_room());
  constexpr uint64_t kObjects = 0x10000000, kMany = 1 << 20;
  for (uint64_t i = 0; i < kMany; ++i) detector.release(Address{kObjects + 8 * i});
  EXPECT_TRUE(detector.out_of_room());
  write(kMemory, 4, Address{1});
  detector.release(Address{kObjects + 8 * kMany});
  as(2);
  detector.acquire(Address{kObjects + 8 * kMany});
  write(kMemory, 4, Address{2});
  EXPECT_EQ(sink.races, 0u);
  two_threads();  // the next execution has room again
  EXPECT_FALSE(detector.out_of_room());
  as(1);
  write(kMemory, 4, Address{1});
  as(2);
  write(kMemory, 4, Address{2});
  EXPECT_EQ(sink.races, 1u);
}

TEST_F(DetectorFixture, SaysWhenThereAreTooManyAnnotations) {
  two_threads();
  for (uint64_t i = 0; i < 300; ++i) detector.benign(Address{kMemory + 64 * i}, 8);
  EXPECT_TRUE(detector.out_of_room());
  as(1);
  write(kMemory + 64 * 299, 4, Address{1});
  as(2);
  write(kMemory + 64 * 299, 4, Address{2});
  EXPECT_EQ(sink.races, 0u);
}

TEST_F(DetectorFixture, LetsImpossibleAddressesPass) {
  two_threads();
  write(~0ull - 3, 4, Address{1});
  write(1ull << 47, 8, Address{1});
  read(0, 1, Address{1});
  EXPECT_EQ(sink.races, 0u);
}

}  // namespace
}  // namespace heddle
