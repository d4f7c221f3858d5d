#include "orders/blocks.h"

#include <algorithm>

namespace heddle::orders {
namespace {

bool contains(const std::vector<VariableId>& list, VariableId variable) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

std::vector<VariableId> only(const std::vector<VariableId>& list, const std::vector<bool>& shared) {
  std::vector<VariableId> kept;
  for (const VariableId variable : list) {
    if (shared[index(variable)] && !contains(kept, variable)) kept.push_back(variable);
  }
  return kept;
}

}  // namespace

std::vector<bool> shared_variables(const StraightLineProgram& program) {
  constexpr uint32_t kNobody = 0xffffffff;
  std::vector<uint32_t> user(program.variables.size(), kNobody);
  std::vector<bool> shared(program.variables.size());
  for (uint32_t thread = 0; thread < program.threads.size(); ++thread) {
    for (const Statement& statement : program.threads[thread].statements) {
      for (const auto* list : {&statement.reads, &statement.writes}) {
        for (const VariableId variable : *list) {
          uint32_t& first = user[index(variable)];
          if (first == kNobody) first = thread;
          if (first != thread) shared[index(variable)] = true;
        }
      }
    }
  }
  return shared;
}

std::vector<Block> minimum_block_list(const StraightLineProgram& program) {
  const std::vector<bool> shared = shared_variables(program);
  std::vector<Block> blocks;
  for (uint32_t thread = 0; thread < program.threads.size(); ++thread) {
    Block current{
        .thread = thread, .first_statement = 0, .end_statement = 0, .reads = {}, .writes = {}};
    const auto& statements = program.threads[thread].statements;
    for (uint32_t at = 0; at < statements.size(); ++at) {
      std::vector<VariableId> reads = only(statements[at].reads, shared);
      std::vector<VariableId> writes = only(statements[at].writes, shared);
      if (!reads.empty() || !writes.empty()) {
        if (!current.reads.empty() || !current.writes.empty()) {
          blocks.push_back(current);
          current.first_statement = at;
        }
        current.reads = std::move(reads);
        current.writes = std::move(writes);
      }
      current.end_statement = at + 1;
    }
    if (!statements.empty()) blocks.push_back(current);
  }
  return blocks;
}

bool accesses(const Block& block, VariableId variable) {
  return contains(block.reads, variable) || contains(block.writes, variable);
}

bool writes(const Block& block, VariableId variable) {
  return contains(block.writes, variable);
}

bool conflict(const Block& a, const Block& b) {
  return std::any_of(a.writes.begin(), a.writes.end(),
                     [&](VariableId variable) { return accesses(b, variable); }) ||
         std::any_of(b.writes.begin(), b.writes.end(),
                     [&](VariableId variable) { return accesses(a, variable); });
}

}  // namespace heddle::orders
