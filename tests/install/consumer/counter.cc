// With two steps per increment under one lock the count is right; with one lock per step it is not.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void increment(int steps_under_one_lock) {
  std::unique_lock<std::mutex> lock(mutex);
  int seen = counter;
  if (steps_under_one_lock < 2) {
    lock.unlock();
    lock.lock();
  }
  counter = seen + 1;
}

int main(int, char** argv) {
  int steps = std::atoi(argv[1]);
  std::thread other(increment, steps);
  increment(steps);
  other.join();
  heddle_assert(counter == 2);
  assert(heddle_running());
}
