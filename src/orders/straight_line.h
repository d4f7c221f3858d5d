// Threads without branches, as the paper has them: lists of atomic statements on variables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle::orders {

enum class VariableId : uint32_t {};
constexpr uint32_t index(VariableId variable) {
  return static_cast<uint32_t>(variable);
}

using Memory = std::vector<int64_t>;  // by variable

struct Statement {
  std::string text;
  std::vector<VariableId> reads;
  std::vector<VariableId> writes;
  std::function<void(Memory&)> run;  // touches what is listed, nothing else
};

struct Thread {
  std::vector<Statement> statements;
};

struct StraightLineProgram {
  std::vector<std::string> variables;
  Memory initial;  // by variable
  std::vector<Thread> threads;
};

}  // namespace heddle::orders
