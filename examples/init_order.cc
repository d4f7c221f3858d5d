// A service that starts its thread in the constructor, above a member that the thread uses: members
// are made in the order in which they are declared.
//
//   ./heddle check examples/init_order.cc            data race
//   ./heddle check examples/init_order.cc -DFIXED    correct: the thread is the last member
#include <cassert>
#include <thread>

class Service {
 public:
  ~Service() { thread_.join(); }

 private:
  void run() { assert(port_ == 8080); }

#ifdef FIXED
  int port_ = 8080;
  std::thread thread_{[this] { run(); }};
#else
  std::thread thread_{[this] { run(); }};
  int port_ = 8080;
#endif
};

int main() {
  Service service;
}
