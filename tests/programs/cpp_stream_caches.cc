// The C++ library fills caches of its own when they are first used, in whatever thread that is: no
// business of the program's. (The streams of libc++ have races of their own.)
//
// LIBCXX: no
// RUN: --strategy=icb --bound=1
// EXPECT: pass
#include <iostream>
#include <sstream>
#include <thread>

static void speak() {
  std::ostringstream text;
  text << 12 << ' ' << 1.5 << std::endl;
  std::cout << text.str() << std::endl;
}

int main() {
  std::thread one(speak), two(speak);
  one.join();
  two.join();
}
