// EXPECT pass
#include <cassert>
#include <thread>

static int destroyed = 0;

struct Stage {
  explicit Stage(int n) : number(n) {}
  ~Stage() { assert(++destroyed == number); }
  int number;
};
static Stage last(2), first(1);

int main() {
  int seen = 0;
  std::thread one([&seen] { seen = first.number + last.number; });
  one.join();
  return seen - 3;
}
