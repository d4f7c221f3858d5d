// heddle::check in a test of GoogleTest.
//
//   heddle c++ -std=c++17 queue_gtest.cc -lgtest -lgtest_main -o queue_gtest && ./queue_gtest
#include <gtest/gtest.h>
#include <heddle/check.h>

#include <mutex>
#include <optional>
#include <queue>
#include <thread>

namespace {

class Queue {
 public:
  void push(int value) {
    std::lock_guard lock(mutex_);
    values_.push(value);
  }
  bool empty() {
    std::lock_guard lock(mutex_);
    return values_.empty();
  }
  std::optional<int> pop() {
    std::lock_guard lock(mutex_);
    if (values_.empty()) return {};
    const int value = values_.front();
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::queue<int> values_;
};

TEST(Queue, LosesNothing) {
  const heddle::check_result result = heddle::check([] {
    Queue queue;
    std::thread one([&] { queue.push(1); });
    std::thread two([&] { queue.push(2); });
    one.join();
    two.join();
    EXPECT_EQ(*queue.pop() + *queue.pop(), 3);
  });
  EXPECT_TRUE(result.passed()) << result.report;
  EXPECT_GT(result.executions, 1u);
}

// Between the question and the answer somebody else may come: the test expects the bug.
TEST(Queue, CannotBeAskedFirst) {
  const heddle::check_result result = heddle::check(
      [] {
        Queue queue;
        queue.push(1);
        const auto take = [&] {
          if (!queue.empty()) heddle_assert(queue.pop().has_value());
        };
        std::thread one(take), two(take);
        one.join();
        two.join();
      },
      {"--strategy=icb", "--trace-dir=/tmp"});
  ASSERT_TRUE(result.failed()) << result.report;
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, "assertion");
  EXPECT_NE(result.findings[0].message.find("has_value"), std::string::npos);
  EXPECT_EQ(result.findings[0].preemptions, 1u);
  EXPECT_FALSE(result.findings[0].schedule.empty());
}

// GoogleTest's own expectations are seen in the lambda.
TEST(Queue, ExpectationsCount) {
  const heddle::check_result result = heddle::check(
      [] {
        Queue queue;
        std::thread one([&] { queue.push(1); });
        EXPECT_FALSE(queue.empty());
        one.join();
      },
      {"--trace-dir=/tmp"});
  EXPECT_TRUE(result.failed()) << result.report;
}

TEST(Queue, BadOptionsAreErrors) {
  const heddle::check_result result = heddle::check([] {}, {"--strategy=nonsense"});
  EXPECT_EQ(result.verdict, "error");
  EXPECT_NE(result.error.find("nonsense"), std::string::npos);
}

}  // namespace
