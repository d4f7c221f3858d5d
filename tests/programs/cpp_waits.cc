// Waiting on atomics of other sizes than a futex word has, for a time, and the counts of weak
// pointers; the library does all of it out of the compiler's sight.
//
// FLAGS: -std=c++20
// RUN: --strategy=icb --bound=1
// ARGUMENTS: sizes
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: flag
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: one_of_two
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=1
// ARGUMENTS: for_a_time
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// ARGUMENTS: times_out
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=2
// ARGUMENTS: weak
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// ARGUMENTS: weak_expires
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// ARGUMENTS: flag
// LIBCXX: only
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// ARGUMENTS: one_of_two
// LIBCXX: only
// EXPECT: fail deadlock
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <memory>
#include <semaphore>
#include <thread>

namespace {

template <typename T>
void pass_one() {
  std::atomic<T> value{0};
  int message = 0;
  std::thread t([&] {
    message = 1;
    value = 1;
    value.notify_one();
  });
  value.wait(0);
  assert(message == 1);
  t.join();
}

struct Case {
  const char* name;
  void (*run)();
};

const Case kCases[] = {
    {"sizes",
     [] {
       pass_one<char>();
       pass_one<short>();
       pass_one<int>();
       pass_one<long>();
     }},
    {"flag",
     [] {
       std::atomic_flag flag{};
       std::thread t([&] {
         flag.test_and_set();
         flag.notify_all();
       });
       flag.wait(false);
       t.join();
     }},
    {"one_of_two",
     [] {
       std::atomic<int> value{0};
       std::thread one([&] { value.wait(0); }), two([&] { value.wait(0); });
       value = 1;
       value.notify_one();
       one.join();
       two.join();
     }},
    {"for_a_time",
     [] {
       std::counting_semaphore<1> s(0);
       std::thread t([&] { s.release(); });
       if (!s.try_acquire_for(std::chrono::seconds(1))) s.acquire();
       t.join();
       assert(!s.try_acquire_for(std::chrono::hours(1)));
     }},
    {"times_out",
     [] {
       std::counting_semaphore<1> s(0);
       std::thread t([&] { s.release(); });
       assert(s.try_acquire_for(std::chrono::seconds(1)));
       t.join();
     }},
    {"weak",
     [] {
       auto shared = std::make_shared<int>(7);
       std::weak_ptr<int> weak = shared;
       std::thread t([weak = std::move(weak)] {
         if (auto mine = weak.lock()) assert(*mine == 7);
       });
       shared.reset();
       t.join();
     }},
    {"weak_expires",
     [] {
       auto shared = std::make_shared<int>(7);
       std::weak_ptr<int> weak = shared;
       std::thread t([&] { assert(weak.lock()); });
       shared.reset();
       t.join();
     }},
};

}  // namespace

int main(int, char** arguments) {
  for (const Case& one : kCases)
    if (strcmp(one.name, arguments[1]) == 0) return one.run(), 0;
  return 2;
}
