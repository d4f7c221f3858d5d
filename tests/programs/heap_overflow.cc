// Whether there is room is asked in one critical section, and the room is taken in another.
//
// RUN: --strategy=icb
// EXPECT: fail out-of-bounds
// CAUSE: atomicity violation
// PREEMPTIONS: 1
// MESSAGE: behind the end of a heap block
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DROOM=30000
// EXPECT: fail out-of-bounds
// PREEMPTIONS: 1
#include <mutex>
#include <thread>

#ifndef ROOM
#define ROOM 3
#endif

static std::mutex mutex;
static int* items;
static int count = ROOM - 1;

static bool has_room() {
  std::lock_guard<std::mutex> lock(mutex);
  return count < ROOM;
}

static void add(int item) {
  if (!has_room()) return;
  std::lock_guard<std::mutex> lock(mutex);
  items[count++] = item;
}

int main() {
  items = new int[ROOM];
  std::thread other([] { add(1); });
  add(2);
  other.join();
  delete[] items;
}
