#include "symbolic/budget.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>

namespace heddle::symbolic {
namespace {

constexpr uint32_t kAsksPerLook = 64;
constexpr double kForever = 1e9;

}  // namespace

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

namespace {

struct Pages {
  unsigned long total = 0, resident = 0;
};

Pages pages() {
  Pages result;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return result;
  if (std::fscanf(file, "%lu %lu", &result.total, &result.resident) != 2) result = {};
  std::fclose(file);
  return result;
}

uint64_t bytes(unsigned long pages) {
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

uint64_t address_space() {
  return bytes(pages().total);
}

uint64_t resident_bytes() {
  return bytes(pages().resident);
}

Budget::Budget(const Limits& limits)
    : limits_(limits),
      begin_(std::chrono::steady_clock::now()),
      cpu_begin_(cpu_seconds()),
      resident_begin_(resident_bytes()) {}

double Budget::seconds_left() const {
  if (limits_.seconds <= 0) return kForever;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
  return limits_.seconds - used.count();
}

bool Budget::spent() {
  if (!reason_.empty()) return true;
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
    reason_ = "it was stopped";
  if (asked_++ % kAsksPerLook == 0) return spent_now();
  return !reason_.empty();
}

bool Budget::spent_now() {
  if (!reason_.empty()) return true;
  if (limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed))
    reason_ = "it was stopped";
  else if (seconds_left() <= 0)
    reason_ = "the time limit was reached";
  else if (limits_.cpu_seconds > 0 && cpu_seconds() - cpu_begin_ > limits_.cpu_seconds)
    reason_ = "the limit of processor time was reached";
  else if (limits_.memory > 0 && resident_bytes() > resident_begin_ + limits_.memory)
    reason_ = "the memory limit was reached";
  return !reason_.empty();
}

}  // namespace heddle::symbolic
