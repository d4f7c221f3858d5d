// One prepared function as a routine of the graph.
//
// Values of LLVM are in single assignment, so every computation is an expression over the registers
// that hold what actions gave and what was chosen at joins of control flow (phis); a register is
// written again only where everything computed from it is computed anew.
//
// What the graph cannot say ends in a cut: an execution that comes there makes the verdict unknown
// and names the place; one that does not is not concerned.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/memory.h"
#include "frontend/options.h"
#include "frontend/verbs.h"
#include "graph/builder.h"
#include "graph/graph.h"

namespace heddle::frontend {

// What the routines of a program have in common.
struct Context {
  const Options& options;
  Memory& memory;
  graph::Program& program;
  std::vector<llvm::Function*> routines;  // by RoutineId
  bool join_results_used = false;
};

class RoutineTranslator {
 public:
  RoutineTranslator(Context& context, llvm::Function& function, graph::Routine& routine);
  void translate();

 private:
  using ExprId = graph::ExprId;
  using Parts = std::vector<ExprId>;

  // routine.cc: control flow
  void declare();
  void find_undefined();
  void block(const llvm::BasicBlock& block);
  bool instruction(const llvm::Instruction& instruction);  // false: control does not go on
  void terminator(const llvm::Instruction& instruction);
  graph::BlockId edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void leave(const llvm::Value* result);
  void leave_with(ExprId result);
  void cut(const std::string& what);                       // ends the current block
  void cut_unless(ExprId holds, const std::string& what);  // goes on where it holds
  void cut_where_undefined(const llvm::Instruction& instruction);
  graph::BlockId cut_block(const std::string& what);
  void fail(FindingKind kind, const std::string& message);

  // values.cc: expressions
  ExprId expr(const llvm::Value* value);
  ExprId expr64(const llvm::Value* value, bool is_signed = true);
  bool pure(const llvm::Instruction& instruction);  // whether it was one
  bool binary(const llvm::BinaryOperator& operation);
  bool cast(const llvm::CastInst& cast);
  bool compare(const llvm::ICmpInst& compare);
  bool element(const llvm::GetElementPtrInst& element);
  bool extract(const llvm::ExtractValueInst& extract);
  bool insert(const llvm::InsertValueInst& insert);
  bool arithmetic_intrinsic(const llvm::IntrinsicInst& intrinsic);
  void define(const llvm::Value& value, ExprId expr);
  void check_overflow(const llvm::BinaryOperator& operation, ExprId a, ExprId b);
  ExprId overflows(llvm::Instruction::BinaryOps op, bool is_signed, ExprId a, ExprId b);
  // A value that may be an address, where its bits are looked at.
  bool may_be_address(const llvm::Value* value);
  void expect_number(const llvm::Value* value);
  ExprId upper_half(const llvm::Value* value);
  ExprId is_number(const llvm::Value* value);
  ExprId same_object(const llvm::Value* left, const llvm::Value* right);
  uint32_t bits_of(const llvm::Value* value) const;

  // accesses.cc: memory
  bool load(const llvm::LoadInst& load);
  bool store(const llvm::StoreInst& store);
  void constant_parts(const llvm::Constant& record, unsigned count);
  bool update(const llvm::AtomicRMWInst& update);
  bool swap(const llvm::AtomicCmpXchgInst& swap);
  bool set_memory(const llvm::CallBase& call);
  bool set_sync(ExprId address, graph::CellKind kind);
  bool copy_memory(const llvm::CallBase& call);
  bool copy_words(const llvm::CallBase& call, uint64_t size);
  bool allocate(const llvm::Instruction& instruction);
  ExprId load_cell(ExprId address, uint32_t bits, bool own, bool atomic);
  void store_cell(ExprId address, ExprId value, bool own, bool atomic);
  struct Range {
    const std::vector<graph::Cell>* cells = nullptr;
    uint64_t offset = 0;
  };
  bool find_range(const llvm::Value* pointer, Range& range);

  // routine_calls.cc
  bool call(const llvm::CallBase& call);
  bool verb(const llvm::CallBase& call, const Verb& verb);
  bool create(const llvm::CallBase& call);
  bool detach_if(const llvm::CallBase& call);
  bool mutex_init(const llvm::CallBase& call);
  bool free(const llvm::CallBase& call);
  bool intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool input(const llvm::CallBase& call);
  bool ending(const llvm::CallBase& call, llvm::StringRef name);
  std::string text_of(const llvm::Value* pointer) const;
  std::string assertion_text(const llvm::CallBase& call) const;
  void result(const llvm::CallBase& call, ExprId value, bool is_signed = false);

  // Blocks.
  graph::Action& act(graph::ActionKind kind);  // a block that begins with it is the current one
  void go_on();                                // to a new block
  graph::Statement& state(graph::StatementKind kind);
  graph::RegisterId temporary(const std::string& name, uint32_t bits);
  std::string where() const;

  Context& context_;
  llvm::Function& function_;
  graph::RoutineBuilder builder_;
  graph::BlockId current_{0};
  graph::Place place_;
  std::map<const llvm::BasicBlock*, graph::BlockId> blocks_;
  std::set<const llvm::BasicBlock*> reached_;
  std::map<const llvm::Value*, ExprId> values_;
  std::map<const llvm::Value*, Parts> parts_;  // of values that are records
  std::map<const llvm::Value*, graph::RegisterId> registers_;
  std::map<const llvm::Value*, std::string> names_;          // of local variables
  std::map<const llvm::Value*, graph::RegisterId> defined_;  // phis that may be undefined
  std::map<uint32_t, graph::RegisterId> defined_by_register_;
  std::vector<const llvm::AllocaInst*> unmarked_;  // allocas that live as long as the routine
};

}  // namespace heddle::frontend
