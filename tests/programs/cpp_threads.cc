// std::thread, std::mutex and lock_guard, with arguments and a lambda: exactly the steps of the
// pthread calls below them.
//
// LIBCXX: no
// EXPECT: pass
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock m; unlock m
// MODEL: b = lock m; unlock m
// EXECUTIONS: model
// RUN: --strategy=dfs
// RUN: --strategy=icb --bound=1
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<std::string> names;
  auto add = [&](std::string name) {
    std::lock_guard<std::mutex> lock(mutex);
    names.push_back(std::move(name));
  };
  std::thread a(add, "a rather long name that does not fit inside the string object");
  std::thread b(add, "b");
  a.join();
  b.join();
  assert(names.size() == 2);
}
