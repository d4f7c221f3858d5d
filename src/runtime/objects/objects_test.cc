// What is kept in the program's own objects must fit what glibc's initialisers leave there, and
// what is kept beside them must be what a simple model keeps.
#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

#include "base/random.h"
#include "runtime/objects/mutex_state.h"
#include "runtime/objects/named_semaphores.h"
#include "runtime/objects/read_holds.h"
#include "runtime/objects/rwlock_state.h"
#include "runtime/objects/sync_state.h"

namespace heddle {
namespace {

pthread_mutex_t made_by_glibc(int type, bool robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

TEST(MutexState, KnowsTheKindsThatGlibcMakes) {
  const std::pair<int, MutexKind> kinds[] = {{PTHREAD_MUTEX_NORMAL, MutexKind::Normal},
                                             {PTHREAD_MUTEX_RECURSIVE, MutexKind::Recursive},
                                             {PTHREAD_MUTEX_ERRORCHECK, MutexKind::ErrorCheck}};
  for (const auto& [type, kind] : kinds)
    for (bool robust : {false, true}) {
      pthread_mutex_t mutex = made_by_glibc(type, robust);
      MutexState state(&mutex);
      EXPECT_EQ(state.kind(), kind);
      EXPECT_EQ(state.robust(), robust);
      EXPECT_EQ(state.health(), MutexHealth::Fine);
      EXPECT_FALSE(state.locked());
      EXPECT_FALSE(state.destroyed());
    }
  pthread_mutex_t fixed = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  EXPECT_EQ(MutexState(&fixed).kind(), MutexKind::Recursive);
}

TEST(MutexState, CountsRecursiveLocksAndGivesAllBackToAWait) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  MutexState state(&mutex);
  for (int i = 0; i < 3; ++i) state.acquire(kMainThread);
  EXPECT_EQ(state.owner(), kMainThread);
  EXPECT_FALSE(state.release());
  const unsigned depth = state.release_all();
  EXPECT_EQ(depth, 2u);
  EXPECT_EQ(state.owner(), kNoThread);
  state.acquire_again(ThreadId{4}, depth);
  EXPECT_EQ(state.owner(), ThreadId{4});
  EXPECT_FALSE(state.release());
  EXPECT_TRUE(state.release());
  EXPECT_FALSE(state.locked());
  state.destroy();
  EXPECT_TRUE(state.destroyed());
  EXPECT_FALSE(state.robust());
}

TEST(RwlockState, ExcludesWhatPosixExcludes) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  RwlockState state(&lock);
  EXPECT_TRUE(state.can_read() && state.can_write());
  state.begin_read();
  state.begin_read();
  EXPECT_TRUE(state.can_read());
  EXPECT_FALSE(state.can_write());
  state.end_read();
  state.end_read();
  state.begin_write(kMainThread);
  EXPECT_FALSE(state.can_read() || state.can_write());
  EXPECT_EQ(state.writer(), kMainThread);
  state.end_write();
  EXPECT_EQ(state.writer(), kNoThread);
}

TEST(SyncState, BeginsAsGlibcInitialises) {
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  SpinState lock(&spin);
  EXPECT_TRUE(lock.initialised());
  EXPECT_FALSE(lock.locked());
  lock.acquire(kMainThread);
  EXPECT_TRUE(lock.initialised());
  EXPECT_EQ(lock.owner(), kMainThread);
  lock.release();
  EXPECT_EQ(lock.owner(), kNoThread);

  sem_t semaphore;
  sem_init(&semaphore, 0, 7);
  EXPECT_EQ(SemState(&semaphore).count(), 7u);
  SemState(&semaphore).take();
  int seen = 0;
  sem_getvalue(&semaphore, &seen);
  EXPECT_EQ(seen, 6);

  pthread_barrier_t barrier = {};
  BarrierState state(&barrier);
  EXPECT_FALSE(state.initialised());
  state.initialise(3);
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(state.arrive());
    EXPECT_FALSE(state.arrive());
    EXPECT_TRUE(state.arrive());
  }
}

TEST(ReadHolds, AreThoseOfAModel) {
  ReadHolds holds;
  holds.initialise();
  std::multiset<std::pair<uint32_t, uint64_t>> model;
  Random random(3);
  for (int step = 0; step < 20'000; ++step) {
    const auto thread = static_cast<uint32_t>(random.below(4));
    const uint64_t lock = 1 + random.below(3);
    if (random.below(2) == 0) {
      holds.add(ThreadId{thread}, Address{lock});
      model.insert({thread, lock});
    } else {
      const auto held = model.find({thread, lock});
      ASSERT_EQ(holds.remove(ThreadId{thread}, Address{lock}), held != model.end());
      if (held != model.end()) model.erase(held);
    }
    const ThreadId reader = holds.reader(Address{lock}, ThreadId{thread});
    std::set<uint32_t> readers;
    for (const auto& [who, what] : model)
      if (what == lock) readers.insert(who);
    ASSERT_EQ(reader == kNoThread, readers.empty());
    if (readers.empty()) continue;
    ASSERT_TRUE(readers.contains(index(reader)));
    ASSERT_TRUE(index(reader) != thread || readers.size() == 1);
  }
}

TEST(NamedSemaphores, AreFoundWhileTheyAreLinked) {
  NamedSemaphores all;
  all.initialise();
  sem_t first = {}, second = {};
  all.add("one", &first);
  EXPECT_EQ(all.find("one"), &first);
  EXPECT_EQ(all.find("two"), nullptr);
  EXPECT_TRUE(all.unlink("one"));
  EXPECT_FALSE(all.unlink("one"));
  EXPECT_EQ(all.find("one"), nullptr);
  EXPECT_TRUE(all.contains(&first)) << "who has opened it still has it";
  all.add("one", &second);
  EXPECT_EQ(all.find("one"), &second);
  all.reset();
  EXPECT_FALSE(all.contains(&first) || all.contains(&second));
}

TEST(NamedSemaphores, RefuseNamesAsGlibcDoes) {
  for (const std::string& name :
       {std::string("/good"), std::string("good"), std::string("/"), std::string(""),
        std::string("/a/b"), "/" + std::string(251, 'x'), "/" + std::string(252, 'x')}) {
    const char* text = name.c_str();
    const int ours = NamedSemaphores::check(text);
    errno = 0;
    const bool refused = sem_open(name.c_str(), 0) == SEM_FAILED && errno != ENOENT;
    EXPECT_EQ(ours != 0, refused) << name << ": " << errno;
  }
}

}  // namespace
}  // namespace heddle
