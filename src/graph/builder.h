// Makes programs: expressions are shared, and computed where they are constant.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/evaluate.h"
#include "graph/graph.h"

namespace heddle::graph {

constexpr bool is_comparison(Operator op) {
  return op >= Operator::Equal && op <= Operator::SLessEq;
}
constexpr uint32_t operand_count(Operator op) {
  constexpr uint8_t kCounts[] = {
#define X(enumerator, text, operands) operands,
      HEDDLE_OPERATORS(X)
#undef X
  };
  return kCounts[static_cast<size_t>(op)];
}

// Fills a routine. The routine may be moved afterwards, not during.
class RoutineBuilder {
 public:
  explicit RoutineBuilder(Routine& routine);

  // Expressions.
  ExprId constant(uint64_t value, uint32_t bits = 32);
  ExprId read(RegisterId);
  ExprId unary(Operator, ExprId);                  // Not, Negate
  ExprId resize(Operator, ExprId, uint32_t bits);  // extensions, Truncate; none where it fits
  ExprId binary(Operator, ExprId, ExprId);
  ExprId select(ExprId condition, ExprId then, ExprId otherwise);
  uint32_t bits(ExprId id) const { return routine_.exprs[index(id)].bits; }
  // Whether it is not 0, in one bit.
  ExprId truth(ExprId);

  // Structure.
  RegisterId add_register(std::string name, uint32_t bits = 32);
  BlockId add_block(std::string name = "");
  Block& block(BlockId id) { return routine_.blocks[index(id)]; }
  Routine& routine() { return routine_; }

  // Shorthands for what tests and front ends write most.
  void assign(BlockId, RegisterId, ExprId, Place = {});
  void jump(BlockId from, BlockId to, Place = {});
  void branch(BlockId from, ExprId condition, BlockId then, BlockId otherwise, Place = {});
  void finish(BlockId from, ExprId value = kNoExpr, Place = {});

 private:
  ExprId intern(const Expr&);
  bool constant_value(ExprId, uint64_t&) const;

  struct Hash {
    size_t operator()(const Expr&) const;
  };
  struct Same {
    bool operator()(const Expr&, const Expr&) const;
  };
  Routine& routine_;
  std::unordered_map<Expr, ExprId, Hash, Same> known_;
};

// What an object of synchronisation takes in memory where nobody says.
inline constexpr uint32_t kSyncBytes = 64;

// Objects of one cell, for short.
ObjectId add_global(Program&, std::string name, uint32_t bits = 32, uint64_t initial = 0);
ObjectId add_sync(Program&, std::string name, CellKind, uint64_t initial = 0);
// An array of `count` integers, bytes as wide as the bits need.
ObjectId add_array(Program&, std::string name, uint32_t count, uint32_t bits = 32);
ObjectId add_sync_array(Program&, std::string name, uint32_t count, CellKind);

// How many bytes an integer of that width takes in memory: 1, 2, 4 or 8.
constexpr uint32_t bytes_of(uint32_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

}  // namespace heddle::graph
