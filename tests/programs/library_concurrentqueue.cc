// moodycamel::ConcurrentQueue, unchanged, compiled by heddle: two producers and a consumer; and its
// blocking form, which waits on semaphores.
//
// RUN: --strategy=icb --bound=1
// ARGUMENTS: plain
// EXPECT: pass
// RUN: --strategy=icb --bound=0
// ARGUMENTS: blocking
// EXPECT: pass
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <string>
#include <thread>

static void plain() {
  moodycamel::ConcurrentQueue<int> queue(8);
  std::thread one([&] { assert(queue.enqueue(1)); }), two([&] { assert(queue.enqueue(2)); });
  int sum = 0, value = 0;
  if (queue.try_dequeue(value)) sum += value;
  one.join();
  two.join();
  while (queue.try_dequeue(value)) sum += value;
  assert(sum == 3);
}

static void blocking() {
  moodycamel::BlockingConcurrentQueue<int> queue(8);
  std::thread producer([&] { assert(queue.enqueue(5)); });
  int value = 0;
  queue.wait_dequeue(value);
  assert(value == 5);
  producer.join();
}

int main(int, char** argv) {
  if (std::string(argv[1]) == "plain")
    plain();
  else
    blocking();
}
