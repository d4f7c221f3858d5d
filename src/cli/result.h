// A value or an error: the second of the three channels for failures (the user's mistake or the
// environment). Commands hand errors up to main, which prints them once.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "model/limitation.h"

namespace heddle {

struct Error {
  std::string message;  // a sentence that says what to do, without a final period
  Limitation limitation = Limitation::None;  // of the strategy, if it is about one
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace heddle
