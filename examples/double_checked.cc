// A configuration that is made when it is first asked for. The quick look at the pointer takes no
// lock, so nothing orders what it finds with what the maker has written.
//
//   ./heddle check examples/double_checked.cc            data race
//   ./heddle check examples/double_checked.cc -DFIXED    correct: the pointer is atomic
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Configuration {
  int retries = 3;
};

static std::mutex making;
#ifdef FIXED
static std::atomic<Configuration*> configuration;
#else
static Configuration* configuration;
#endif

static Configuration& get() {
  if (configuration == nullptr) {
    std::lock_guard<std::mutex> lock(making);
    if (configuration == nullptr) configuration = new Configuration;
  }
  return *configuration;
}

static void use() {
  assert(get().retries == 3);
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  delete configuration;
}
