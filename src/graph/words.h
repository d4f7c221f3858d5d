// The words of the text form that are not in a table elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "graph/actions.h"
#include "graph/graph.h"

namespace heddle::graph {

// In the order of CellKind.
inline constexpr std::array<std::string_view, 10> kCellWords = {
    "global",    "mutex",  "recursive-mutex", "errorcheck-mutex", "spinlock",
    "condition", "rwlock", "semaphore",       "barrier",          "once"};
inline constexpr std::array<std::string_view, 3> kObjectWords = {"global", "heap", "stack"};

// In the order of Operator: how it is written, and how tightly it binds where it stands between its
// operands (0: it does not).
struct OperatorWord {
  std::string_view text;
  uint8_t binding = 0;
};
constexpr uint8_t binding_of(Operator op) {
  switch (op) {
    case Operator::Mul:
    case Operator::UDiv:
    case Operator::SDiv:
    case Operator::URem:
    case Operator::SRem:
      return 10;
    case Operator::Add:
    case Operator::Sub:
      return 9;
    case Operator::Shl:
    case Operator::LShr:
    case Operator::AShr:
      return 8;
    case Operator::ULess:
    case Operator::ULessEq:
    case Operator::SLess:
    case Operator::SLessEq:
      return 7;
    case Operator::Equal:
    case Operator::NotEqual:
      return 6;
    case Operator::And:
      return 5;
    case Operator::Xor:
      return 4;
    case Operator::Or:
      return 3;
    default:
      return 0;  // && is 2, || is 1: shorthands, which are not printed
  }
}
inline constexpr auto kOperatorWords = [] {
  constexpr std::string_view kTexts[] = {
#define X(enumerator, text, operands) text,
      HEDDLE_OPERATORS(X)
#undef X
  };
  std::array<OperatorWord, std::size(kTexts)> words{};
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = {kTexts[i], binding_of(static_cast<Operator>(i))};
  return words;
}();

// Words that are no names of registers, unless in quotes.
inline constexpr std::string_view kReserved[] = {
    "_",      "input", "allocate", "assume", "assert", "release", "goto", "if",    "else",
    "return", "exit",  "cut",      "reg",    "own",    "zext",    "sext", "trunc", "null"};

inline std::optional<ActionKind> action_from_word(std::string_view word) {
  for (size_t i = 1; i < kActionShapes.size(); ++i)
    if (kActionShapes[i].name == word) return static_cast<ActionKind>(i);
  return std::nullopt;
}
inline bool is_reserved(std::string_view word) {
  for (std::string_view reserved : kReserved)
    if (reserved == word) return true;
  return action_from_word(word).has_value();
}

constexpr bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '#';
}
inline bool is_plain_name(std::string_view text) {
  if (text.empty() || !begins_name(text.front())) return false;
  for (char c : text)
    if (!continues_name(c)) return false;
  return true;
}

}  // namespace heddle::graph
