// A bit of everything, and in the end a message that depends on the order of it all.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::vector<std::unique_ptr<std::string>> log_entries;
static std::atomic<int> tickets;
static int unprotected;

static void note(int thread) {
  int ticket = tickets.fetch_add(1);
  std::lock_guard<std::mutex> lock(mutex);
  log_entries.push_back(
      std::make_unique<std::string>(std::to_string(thread) + ":" + std::to_string(ticket) + " "));
  changed.notify_all();
}

static void work(int thread) {
  note(thread);
  unprotected += thread;
  std::this_thread::yield();
  try {
    throw std::runtime_error("on the way");
  } catch (const std::exception&) {
    note(thread);
  }
  if (mutex.try_lock()) {
    unprotected *= 2;
    mutex.unlock();
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back(work, i);
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return log_entries.size() >= 4; });
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
  std::string all;
  for (const auto& entry : log_entries) all += *entry;
  throw std::runtime_error(all + std::to_string(unprotected));
}
