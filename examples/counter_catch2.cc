// heddle::check in a test of Catch2.
//
//   heddle c++ -std=c++17 counter_catch2.cc -o counter_catch2 && ./counter_catch2
#define CATCH_CONFIG_MAIN
#include <heddle/check.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

TEST_CASE("an atomic counter counts") {
  const heddle::check_result result = heddle::check([] {
    std::atomic<int> counter{0};
    std::thread other([&] { ++counter; });
    ++counter;
    other.join();
    heddle_assert(counter == 2);
  });
  INFO(result.report);
  REQUIRE(result.passed());
}

TEST_CASE("a counter that is read and written does not") {
  const heddle::check_result result = heddle::check(
      [] {
        std::atomic<int> counter{0};
        std::thread other([&] { counter = counter + 1; });
        counter = counter + 1;
        other.join();
        heddle_assert(counter == 2);
      },
      {"--trace-dir=/tmp"});
  INFO(result.report);
  REQUIRE(result.failed());
  REQUIRE(result.findings.at(0).kind == "assertion");
}
