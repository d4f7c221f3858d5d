// The classic: looking at the pointer without the lock needs an atomic pointer.
//
// RUN: --strategy=icb
// EXPECT: fail data-race
// LOCATION: race_double_checked.cc
// RUN: --strategy=dfs
// FLAGS: -DATOMIC
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSTATIC
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DONCE
// EXPECT: pass
#include <atomic>
#include <mutex>
#include <thread>

struct Settings {
  int depth = 7;
};

#if defined(STATIC)
static Settings& settings() {
  static Settings instance;
  instance.depth += 0 * instance.depth == 1;
  return instance;
}
#elif defined(ONCE)
static std::once_flag once;
static Settings* instance;
static Settings& settings() {
  std::call_once(once, [] { instance = new Settings; });
  return *instance;
}
#else
static std::mutex mutex;
#ifdef ATOMIC
static std::atomic<Settings*> instance;
#else
static Settings* instance;
#endif
static Settings& settings() {
  if (instance == nullptr) {
    std::lock_guard<std::mutex> lock(mutex);
    if (instance == nullptr) instance = new Settings;
  }
  return *instance;
}
#endif

int main() {
  int seen = 0;
  std::thread other([] { settings(); });
  seen = settings().depth;
  other.join();
  return seen != 7;
}
