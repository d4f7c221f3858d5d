// EXPECT fail data-race
#include <iostream>
#include <thread>

static int counter = 0;

int main() {
  std::thread one([] {
    std::cout << "adds " << 1 << '\n';
    ++counter;
  });
  std::cout << "counter: " << counter << std::endl;
  one.join();
}
