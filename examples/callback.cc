// A timer calls back into an object that may be gone: whoever destroys it tells the timer not to
// call any more, but does not wait for the call that is under way.
//
//   ./heddle check examples/callback.cc            use after free
//   ./heddle check examples/callback.cc -DFIXED    correct: the call keeps the object alive
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

struct Window {
  int redraws = 0;
};

static std::mutex mutex;
static std::shared_ptr<Window> window;
static std::atomic<int> calls;

static void on_timer() {
  std::unique_lock<std::mutex> lock(mutex);
#ifdef FIXED
  const std::shared_ptr<Window> target = window;
#else
  Window* const target = window.get();
#endif
  lock.unlock();  // callbacks must not hold our lock
  ++calls;
  if (target) target->redraws++;
}

static void close_window() {
  std::lock_guard<std::mutex> lock(mutex);
  window.reset();
}

int main() {
  window = std::make_shared<Window>();
  std::thread timer(on_timer);
  close_window();
  timer.join();
}
