// Work in processes of their own, which end with this one however it ends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "symbolic/engine.h"

namespace heddle::symbolic {

// A child process. Destroying it kills the child; if this process dies, the kernel does.
class Child {
 public:
  // `body` runs in the child with the writing end of a pipe and returns its exit status.
  explicit Child(const std::function<int(int output)>& body);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int output() const { return output_; }  // reading end
  // Appends what has arrived; false at the end of it.
  bool read(std::string& into) const;
  int wait();  // status of waitpid

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

// A child that computes one answer, within the limits.
class Worker {
 public:
  using Job = std::function<Answer(const Limits&)>;

  Worker(const Job& job, const Limits& limits);

  int output() const { return child_.output(); }
  bool receive();  // false once there is nothing more to come: then there is an answer
  Answer answer();
  std::optional<uint32_t> bound() const { return bound_; }  // told so far

 private:
  void read_messages();

  Child child_;
  std::string received_;
  size_t read_ = 0;
  std::optional<uint32_t> bound_;
  std::optional<Answer> answer_;
  std::function<void(uint32_t)> on_bound_;
};

// In a child: what is beyond the limits of processor time and memory ends it. What it has inherited
// does not count.
void limit_this_process(const Limits& limits);

// Exit status of children that have no memory left.
inline constexpr int kOutOfMemory = 12;

// One worker, waited for.
Answer answer_of_child(const Worker::Job& job, const Limits& limits);

// Until something can be read from one of the descriptors, or for a moment.
void wait_for_output(std::span<const int> descriptors);

}  // namespace heddle::symbolic
