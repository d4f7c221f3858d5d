// Program graphs written down line by line, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/graph.h"

namespace heddle::explicit_states {

// One routine. Each action is a block of its own; statements belong to the block before them.
class Script {
 public:
  using Expr = graph::ExprId;
  using Reg = graph::RegisterId;
  using Obj = graph::ObjectId;

  explicit Script(std::string name) : builder_(routine_) {
    routine_.name = std::move(name);
    current_ = builder_.add_block("entry");
  }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  graph::Routine take() { return std::move(routine_); }
  graph::RoutineBuilder& build() { return builder_; }
  graph::BlockId current() const { return current_; }

  Expr number(uint64_t value, uint32_t bits = 8) { return builder_.constant(value, bits); }
  Expr at(Obj object, uint32_t offset = 0) {
    return builder_.constant(graph::pointer_to(object, offset), 64);
  }
  Reg reg(const std::string& name, uint32_t bits = 8) { return builder_.add_register(name, bits); }
  Expr value(Reg reg) { return builder_.read(reg); }
  Expr add(Expr a, Expr b) { return builder_.binary(graph::Operator::Add, a, b); }
  Expr equal(Expr a, Expr b) { return builder_.binary(graph::Operator::Equal, a, b); }

  graph::Action& action(graph::ActionKind kind) {
    next_block();
    graph::Action& action = builder_.block(current_).action;
    action.kind = kind;
    return action;
  }
  void on(graph::ActionKind kind, Obj object) { action(kind).address = at(object); }
  void load(Reg into, Obj object, uint32_t bits = 8) {
    const Expr address = at(object);
    graph::Action& load = action(graph::ActionKind::Load);
    load.address = address;
    load.into = into;
    load.bits = static_cast<uint8_t>(bits);
  }
  void store(Obj object, Expr value, uint32_t bits = 8) {
    const Expr address = at(object);
    graph::Action& store = action(graph::ActionKind::Store);
    store.address = address;
    store.value = value;
    store.bits = static_cast<uint8_t>(bits);
  }
  // object += amount, in one step.
  void atomic_add(Obj object, uint64_t amount, uint32_t bits = 8) {
    const Reg old = reg("old", bits);
    const Expr sum = add(value(old), number(amount, bits));
    const Expr address = at(object);
    graph::Action& update = action(graph::ActionKind::AtomicUpdate);
    update.address = address;
    update.into = old;
    update.value = sum;
    update.bits = static_cast<uint8_t>(bits);
  }
  void lock(Obj mutex) { on(graph::ActionKind::MutexLock, mutex); }
  void unlock(Obj mutex) { on(graph::ActionKind::MutexUnlock, mutex); }
  void wait(Obj condition, Obj mutex) {
    const Expr second = at(mutex);
    on(graph::ActionKind::CondWait, condition);
    builder_.block(current_).action.second = second;
  }
  void assign(Reg reg, Expr value) { builder_.assign(current_, reg, value); }
  void check(Expr holds, std::string message) {
    graph::Statement statement;
    statement.kind = graph::StatementKind::Assert;
    statement.value = builder_.truth(holds);
    statement.message = std::move(message);
    builder_.block(current_).statements.push_back(std::move(statement));
  }
  void assume(Expr holds) {
    graph::Statement statement;
    statement.kind = graph::StatementKind::Assume;
    statement.value = builder_.truth(holds);
    builder_.block(current_).statements.push_back(std::move(statement));
  }

  // Branches. `begin_if` … `end_if`; `begin_loop`, `leave_loop_if` …, `end_loop`.
  void begin_if(Expr condition) {
    const graph::BlockId then = builder_.add_block();
    const graph::BlockId after = builder_.add_block();
    builder_.branch(current_, builder_.truth(condition), then, after);
    open_.push_back(after);
    current_ = then;
  }
  void end_if() {
    builder_.jump(current_, open_.back());
    current_ = open_.back();
    open_.pop_back();
  }
  void begin_loop() {
    next_block();
    open_.push_back(current_);
    after_.push_back(builder_.add_block());
  }
  void leave_loop_if(Expr condition) {
    const graph::BlockId stays = builder_.add_block();
    builder_.branch(current_, builder_.truth(condition), after_.back(), stays);
    current_ = stays;
  }
  void end_loop() {
    builder_.jump(current_, open_.back());
    current_ = after_.back();
    open_.pop_back();
    after_.pop_back();
  }

 private:
  void next_block() {
    const graph::BlockId next = builder_.add_block();
    builder_.jump(current_, next);
    current_ = next;
  }

  graph::Routine routine_;
  graph::RoutineBuilder builder_;
  graph::BlockId current_{0};
  std::vector<graph::BlockId> open_;
  std::vector<graph::BlockId> after_;
};

// Of the routine with this number; its handle.
inline Script::Reg create(Script& script, uint32_t routine) {
  const Script::Reg handle = script.reg("t" + std::to_string(routine), 64);
  graph::Action& create = script.action(graph::ActionKind::Create);
  create.routine = graph::RoutineId{routine};
  create.into = handle;
  return handle;
}

inline void join_all(Script& main, const std::vector<Script::Reg>& handles) {
  for (const Script::Reg handle : handles) {
    const Script::Expr value = main.value(handle);
    main.action(graph::ActionKind::Join).value = value;
  }
}

// With a main that creates and joins them.
inline graph::Program with_main(graph::Program program, std::vector<graph::Routine> threads) {
  Script main("main");
  std::vector<Script::Reg> handles;
  for (uint32_t i = 1; i <= threads.size(); ++i) handles.push_back(create(main, i));
  join_all(main, handles);
  program.routines.push_back(main.take());
  for (graph::Routine& thread : threads) program.routines.push_back(std::move(thread));
  return program;
}

}  // namespace heddle::explicit_states
