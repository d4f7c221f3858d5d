// Exceptions in flight in several threads at once, across scheduling points, do not mix.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

struct YieldsWhenDestroyed {
  ~YieldsWhenDestroyed() { std::this_thread::yield(); }
};

static void throw_it(const std::string& text) {
  YieldsWhenDestroyed guard;
  throw std::runtime_error(text);
}

static void work(const char* text) {
  try {
    throw_it(text);
  } catch (const std::exception& error) {
    std::this_thread::yield();
    assert(error.what() == std::string(text));
    assert(std::current_exception() != nullptr);
  }
  assert(std::current_exception() == nullptr && std::uncaught_exceptions() == 0);
}

int main() {
  std::thread other(work, "the other thread's own trouble");
  work("main's own trouble");
  other.join();
}
