// A thread that a global constructor starts is out of reach: the message says so.
//
// EXPECT: unsupported constructor
#include <thread>

static std::thread early([] {});

int main() {
  early.join();
}
