// Boost.Lockfree, unchanged, compiled by heddle: a queue for one producer and one consumer, a queue
// and a stack for many. With a second producer the first breaks its own rule. The other two read
// nodes of their free list that another thread has taken meanwhile, and only then find out:
// formally a race.
//
// RUN: --strategy=optimal-dpor
// ARGUMENTS: single
// EXPECT: pass
// GUARANTEE: all executions
// RUN: --strategy=icb --bound=2
// ARGUMENTS: misused
// EXPECT: fail data-race
// RUN: --strategy=icb --bound=1 --races=off
// ARGUMENTS: stack
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: stack
// EXPECT: fail data-race
// RUN: --strategy=icb --bound=1 --races=off
// ARGUMENTS: queue
// EXPECT: pass
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <string>
#include <thread>

namespace lockfree = boost::lockfree;

static void single() {
  lockfree::spsc_queue<int, lockfree::capacity<2>> queue;
  std::thread producer([&] {
    queue.push(1);
    queue.push(2);
  });
  int last = 0, value = 0;
  for (int i = 0; i < 2; ++i)
    if (queue.pop(value)) assert(value == ++last);
  producer.join();
  while (queue.pop(value)) assert(value == ++last);
  assert(last == 2);
}

static void misused() {
  lockfree::spsc_queue<int, lockfree::capacity<2>> queue;
  std::thread one([&] { queue.push(1); }), two([&] { queue.push(2); });
  one.join();
  two.join();
}

template <typename Container>
static void many() {
  Container container(4);
  std::thread one([&] { container.push(1); }), two([&] { container.push(2); });
  int sum = 0, value = 0;
  if (container.pop(value)) sum += value;
  one.join();
  two.join();
  while (container.pop(value)) sum += value;
  assert(sum == 3);
}

int main(int, char** argv) {
  const std::string which = argv[1];
  if (which == "single") single();
  if (which == "misused") misused();
  if (which == "stack") many<lockfree::stack<int>>();
  if (which == "queue") many<lockfree::queue<int>>();
}
