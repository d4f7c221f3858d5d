// Streams keep working execution after execution, in every thread.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

static void work(int number) {
  std::ostringstream text;
  text << "thread " << number << ' ' << 1.5 * number << '\n';
  std::cout << text.str() << std::flush;
  std::this_thread::yield();
  std::cerr << "and " << number << std::endl;
  assert(text.str().size() > 10);
}

int main() {
  std::thread a(work, 1);
  work(2);
  a.join();
  assert(std::cout.good() && std::cerr.good());
}
