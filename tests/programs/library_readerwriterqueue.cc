// moodycamel::ReaderWriterQueue, unchanged, compiled by heddle: values come out in order. With two
// writers it finds out itself that it is misused, in the right schedule.
//
// RUN: --strategy=optimal-dpor
// ARGUMENTS: right
// EXPECT: pass
// RUN: --strategy=icb --bound=2 --races=off
// ARGUMENTS: wrong
// EXPECT: fail assertion
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <string>
#include <thread>

int main(int, char** argv) {
  moodycamel::ReaderWriterQueue<int> queue(2);
  const bool right = std::string(argv[1]) == "right";
  std::thread writer([&] { queue.try_enqueue(1); });
  int value = 0, sum = 0;
  if (!right) queue.try_enqueue(2);
  if (right && queue.try_dequeue(value)) sum += value;
  writer.join();
  while (queue.try_dequeue(value)) sum += value;
  assert(sum == (right ? 1 : 3));
}
