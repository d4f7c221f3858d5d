// Static partial orders after Mittermayr and Blieberger, "Static Partial-Order Reduction of
// Concurrent Systems in Polynomial Time".
//
// Only the order of blocks that access the same variable matters. So: find the shared variables
// (step 1), cut each thread into blocks with at most one access to them (step 2), write down for
// each variable all orders of its blocks that keep each thread's own order (step 3), take one
// order per variable in every combination and make a graph of it together with the threads' own
// orders (step 4), sort it topologically (step 5) and run the blocks in that order (step 6). What
// the runs end with is all that the program can end with.
//
// Where the paper's pseudocode had to be read with good will:
// - INTERLEAVE_REC tests for the last block with `b_var_k`, a local variable of its caller, and
//   removes the head of the *array* of lists instead of that of the i-th list.
// - GENERATECOMBINATIONS_REC is started with variable 0 although variables count from 1, and
//   recurs while cur_var < r, one variable too many if they count from 0.
// - BUILDBLOCKS begins the second block at the second statement that accesses a shared variable,
//   which makes the list minimal; that is right, and done here.
// - `bl_i < bl_j` is defined to hold if *some* execution has bl_i first; then both directions hold
//   at once and the relation is no order. What is meant is: in the executions of this graph.
//
// What is wrong in it:
// - The number of graphs is not bounded by theorem 1, and the algorithm is not polynomial in the
//   number of blocks for a constant number of variables: see counts.h.
// - It orders pairs of reads too. n threads that read a variable once give n! graphs with one
//   result. It says nothing false, but orientations.h leaves them unordered.
// - Combinations that contradict each other are built and rejected one by one. With several
//   variables most are contradictory; orientations.h never builds one.
// - "Each computation gives a unique result" is true of its example only.
#include "orders/six_steps.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::orders {
namespace {

using Order = std::vector<BlockId>;

// INTERLEAVE_REC: `left` has the blocks of each thread that are still to be placed.
void interleave(std::vector<Order>& left, Order& placed, uint32_t blocks,
                std::vector<Order>& orders) {
  if (placed.size() == blocks) {
    orders.push_back(placed);
    return;
  }
  for (Order& own : left) {
    if (own.empty()) continue;
    const BlockId head = own.front();
    own.erase(own.begin());
    placed.push_back(head);
    interleave(left, placed, blocks, orders);
    placed.pop_back();
    own.insert(own.begin(), head);
  }
}

class Combinations {
 public:
  Combinations(const StraightLineProgram& program, OrdersResult& result)
      : program_(program),
        result_(result),
        blocks_(minimum_block_list(program)),
        graph_(intra_thread_orders(blocks_)) {
    const std::vector<bool> shared = shared_variables(program);
    for (uint32_t variable = 0; variable < shared.size(); ++variable) {
      if (shared[variable]) orders_.push_back(orders_of(blocks_, VariableId{variable}));
    }
  }

  // GENERATECOMBINATIONS_REC and CONSTRUCTPOGRAPHS in one: the edges of one order per variable.
  void from(size_t variable) {
    if (variable == orders_.size()) {
      finish();
      return;
    }
    for (const Order& order : orders_[variable]) {
      const size_t edges = graph_.edges.size();
      for (size_t i = 1; i < order.size(); ++i) {
        graph_.edges.emplace_back(index(order[i - 1]), index(order[i]));
      }
      from(variable + 1);
      graph_.edges.resize(edges);
    }
  }

 private:
  void finish() {
    ++result_.combinations;
    const auto order = topological_order(graph_);
    if (!order) {
      ++result_.contradictory;
      return;
    }
    ++result_.runs;
    ++result_.finals[run_blocks(program_, blocks_, *order)];
  }

  const StraightLineProgram& program_;
  OrdersResult& result_;
  std::vector<Block> blocks_;
  PoGraph graph_;
  std::vector<std::vector<Order>> orders_;  // by shared variable
};

}  // namespace

std::vector<Order> orders_of(const std::vector<Block>& blocks, VariableId variable) {
  std::vector<Order> of_threads;
  uint32_t accessing = 0;
  for (uint32_t at = 0; at < blocks.size(); ++at) {
    if (!accesses(blocks[at], variable)) continue;
    of_threads.resize(std::max<size_t>(of_threads.size(), blocks[at].thread + 1));
    of_threads[blocks[at].thread].push_back(BlockId{at});
    ++accessing;
  }
  std::vector<Order> orders;
  Order placed;
  interleave(of_threads, placed, accessing, orders);
  return orders;
}

OrdersResult six_steps(const StraightLineProgram& program) {
  OrdersResult result;
  Combinations(program, result).from(0);
  return result;
}

std::vector<std::vector<uint32_t>> access_counts(const StraightLineProgram& program) {
  const std::vector<Block> blocks = minimum_block_list(program);
  const std::vector<bool> shared = shared_variables(program);
  std::vector<std::vector<uint32_t>> counts;
  for (uint32_t variable = 0; variable < shared.size(); ++variable) {
    if (!shared[variable]) continue;
    std::vector<uint32_t>& of_threads = counts.emplace_back(program.threads.size());
    for (const Block& block : blocks) {
      if (accesses(block, VariableId{variable})) ++of_threads[block.thread];
    }
  }
  return counts;
}

PoGraph intra_thread_orders(const std::vector<Block>& blocks) {
  PoGraph graph{.nodes = static_cast<uint32_t>(blocks.size()), .edges = {}};
  for (uint32_t at = 1; at < blocks.size(); ++at) {
    if (blocks[at - 1].thread == blocks[at].thread) graph.edges.emplace_back(at - 1, at);
  }
  return graph;
}

Memory run_blocks(const StraightLineProgram& program, const std::vector<Block>& blocks,
                  const std::vector<uint32_t>& order) {
  HEDDLE_CHECK(order.size() == blocks.size());
  Memory memory = program.initial;
  for (const uint32_t at : order) {
    const Block& block = blocks[at];
    const auto& statements = program.threads[block.thread].statements;
    for (uint32_t i = block.first_statement; i < block.end_statement; ++i) {
      statements[i].run(memory);
    }
  }
  return memory;
}

}  // namespace heddle::orders
