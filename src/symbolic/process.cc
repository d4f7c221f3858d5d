#include "symbolic/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/check.h"
#include "symbolic/budget.h"

namespace heddle::symbolic {
namespace {

constexpr int kPollMilliseconds = 20;

// What a worker says: a letter, then numbers and strings of this machine.
enum Message : char { kBound = 'b', kAnswer = 'a' };

void put(std::string& into, uint32_t number) {
  into.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& into, const std::string& text) {
  put(into, static_cast<uint32_t>(text.size()));
  into += text;
}

void put(std::string& into, const std::vector<bool>& bits) {
  put(into, static_cast<uint32_t>(bits.size()));
  for (bool bit : bits) into.push_back(bit ? '1' : '0');
}

// Reads in the same order; `complete` is false once something was missing.
class Reader {
 public:
  Reader(const std::string& text, size_t at) : text_(text), at_(at) {}

  char letter() { return take(1).empty() ? '\0' : text_[at_ - 1]; }
  uint32_t number() {
    uint32_t result = 0;
    const std::string bytes = take(sizeof result);
    if (complete) std::memcpy(&result, bytes.data(), sizeof result);
    return result;
  }
  std::string string() { return take(number()); }
  std::vector<bool> bits() {
    std::vector<bool> result;
    for (char each : string()) result.push_back(each == '1');
    return result;
  }
  size_t position() const { return at_; }
  bool complete = true;

 private:
  std::string take(size_t size) {
    if (text_.size() - at_ < size) complete = false;
    if (!complete) return "";
    at_ += size;
    return text_.substr(at_ - size, size);
  }

  const std::string& text_;
  size_t at_;
};

std::string message_of(const Answer& answer) {
  std::string text(1, kAnswer);
  put(text, static_cast<uint32_t>(answer.verdict));
  put(text, answer.depth);
  put(text, answer.reason);
  put(text, answer.engine);
  put(text, answer.run.reset);
  put(text, static_cast<uint32_t>(answer.run.steps.size()));
  for (const std::vector<bool>& step : answer.run.steps) put(text, step);
  put(text, answer.steps);
  put(text, answer.effort);
  return text;
}

Answer read_answer(Reader& reader) {
  Answer answer;
  answer.verdict = static_cast<Verdict>(reader.number());
  answer.depth = reader.number();
  answer.reason = reader.string();
  answer.engine = reader.string();
  answer.run.reset = reader.bits();
  const uint32_t steps = reader.number();
  for (uint32_t i = 0; i < steps && reader.complete; ++i) answer.run.steps.push_back(reader.bits());
  answer.steps = reader.string();
  answer.effort = reader.string();
  return answer;
}

void write_all(int descriptor, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody listens any more
    done += static_cast<size_t>(written);
  }
}

void limit(__rlimit_resource resource, uint64_t most) {
  const rlimit limits{most, most};
  setrlimit(resource, &limits);
}

int work(const Worker::Job& job, Limits limits, int output) {
  limit_this_process(limits);
  limits.on_bound = [output](uint32_t depth) {
    std::string text(1, kBound);
    put(text, depth);
    write_all(output, text);
  };
  try {
    write_all(output, message_of(job(limits)));
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  }
  return 0;
}

}  // namespace

void limit_this_process(const Limits& limits) {
  if (limits.memory > 0) limit(RLIMIT_AS, address_space() + limits.memory);
  if (limits.cpu_seconds > 0)
    limit(RLIMIT_CPU, static_cast<uint64_t>(cpu_seconds() + limits.cpu_seconds) + 1);
}

Child::Child(const std::function<int(int)>& body) {
  std::array<int, 2> ends{};
  HEDDLE_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
  const pid_t parent = getpid();
  pid_ = fork();
  HEDDLE_CHECK(pid_ >= 0);
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it has died in the meantime
    close(ends[0]);
    _exit(body(ends[1]));
  }
  close(ends[1]);
  output_ = ends[0];
  fcntl(output_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    wait();
  }
  close(output_);
}

bool Child::read(std::string& into) const {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t size = ::read(output_, buffer.data(), buffer.size());
    if (size > 0) into.append(buffer.data(), static_cast<size_t>(size));
    if (size == 0) return false;
    if (size < 0 && errno != EINTR) return errno == EAGAIN;
  }
}

int Child::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

Worker::Worker(const Job& job, const Limits& limits)
    : child_([&](int output) { return work(job, limits, output); }), on_bound_(limits.on_bound) {}

bool Worker::receive() {
  const bool more = child_.read(received_);
  read_messages();
  return more && !answer_;
}

void Worker::read_messages() {
  while (!answer_) {
    Reader reader(received_, read_);
    const char kind = reader.letter();
    if (kind == kBound) {
      const uint32_t depth = reader.number();
      if (!reader.complete) return;
      bound_ = depth;
      if (on_bound_) on_bound_(depth);
    } else if (kind == kAnswer) {
      Answer answer = read_answer(reader);
      if (!reader.complete) return;
      answer_ = std::move(answer);
    } else {
      return;
    }
    read_ = reader.position();
  }
}

Answer Worker::answer() {
  if (answer_) return *answer_;
  const int status = child_.wait();
  std::string reason = "its process was killed";
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory)
    reason = "the memory limit was reached";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    reason = "the limit of processor time was reached";
  return bound_ ? bounded(*bound_, reason) : unknown(reason);
}

void wait_for_output(std::span<const int> descriptors) {
  std::vector<pollfd> polled;
  for (int descriptor : descriptors) polled.push_back({descriptor, POLLIN, 0});
  poll(polled.data(), polled.size(), kPollMilliseconds);
}

Answer answer_of_child(const Worker::Job& job, const Limits& limits) {
  Budget budget(limits);
  Worker worker(job, limits);
  const std::array descriptors{worker.output()};
  while (worker.receive()) {
    if (budget.seconds_left() <= 0 || (limits.stop != nullptr && limits.stop->load())) {
      const std::string reason =
          budget.seconds_left() <= 0 ? "the time limit was reached" : "it was stopped";
      return worker.bound() ? bounded(*worker.bound(), reason) : unknown(reason);
    }
    wait_for_output(descriptors);
  }
  return worker.answer();
}

}  // namespace heddle::symbolic
