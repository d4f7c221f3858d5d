#include "interpreter/graph_space.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/check.h"
#include "interpreter/breadth_first.h"

namespace heddle {
namespace {

using graph::ActionKind;
using graph::BlockId;
using graph::ExprId;
using graph::ObjectId;
using graph::RegisterId;

// Writes routines one action after the other.
class Lines {
 public:
  explicit Lines(graph::Program& program, std::string name)
      : number_(static_cast<uint32_t>(program.routines.size())) {
    program.routines.emplace_back().name = std::move(name);
    program_ = &program;
    builder_.emplace(program.routines[number_]);
    at_ = b().add_block();
  }
  graph::RoutineBuilder& b() { return *builder_; }
  graph::RoutineId id() const { return graph::RoutineId{number_}; }

  graph::Action& act(ActionKind kind) {
    const BlockId next = b().add_block();
    b().jump(at_, next);
    at_ = next;
    graph::Action& action = b().block(at_).action;
    action.kind = kind;
    return action;
  }
  graph::Action& act(ActionKind kind, ObjectId object, uint32_t offset = 0) {
    const ExprId address = b().constant(graph::pointer_to(object, offset), 64);
    graph::Action& action = act(kind);
    action.address = address;
    return action;
  }
  void load(RegisterId into, ObjectId object) { act(ActionKind::Load, object).into = into; }
  void store(ObjectId object, ExprId value) { act(ActionKind::Store, object).value = value; }
  RegisterId create(graph::RoutineId routine) {
    const RegisterId handle = b().add_register("handle", 64);
    graph::Action& action = act(ActionKind::Create);
    action.routine = routine;
    action.into = handle;
    return handle;
  }
  void join(RegisterId handle) {
    const ExprId value = b().read(handle);
    act(ActionKind::Join).value = value;
  }
  void assert_that(ExprId condition) {
    graph::Statement s;
    s.kind = graph::StatementKind::Assert;
    s.value = condition;
    b().block(at_).statements.push_back(s);
  }
  BlockId at() const { return at_; }

 private:
  graph::Program* program_;
  uint32_t number_;
  std::optional<graph::RoutineBuilder> builder_;
  BlockId at_{0};
};

// Two threads, each of which adds one, without or with a lock; main asserts the sum.
graph::Program counting(bool locks) {
  graph::Program program;
  program.routines.reserve(4);
  const ObjectId counter = graph::add_global(program, "counter");
  const ObjectId mutex = graph::add_sync(program, "mutex", graph::CellKind::Mutex);
  Lines main(program, "main"), adder(program, "adder");
  const RegisterId value = adder.b().add_register("value");
  if (locks) adder.act(ActionKind::MutexLock, mutex);
  adder.load(value, counter);
  adder.store(counter,
              adder.b().binary(graph::Operator::Add, adder.b().read(value), adder.b().constant(1)));
  if (locks) adder.act(ActionKind::MutexUnlock, mutex);
  const RegisterId first = main.create(adder.id()), second = main.create(adder.id());
  main.join(first);
  main.join(second);
  const RegisterId sum = main.b().add_register("sum");
  main.load(sum, counter);
  main.assert_that(
      main.b().binary(graph::Operator::Equal, main.b().read(sum), main.b().constant(2)));
  return program;
}

TEST(GraphSpace, FindsALostUpdateOnlyWithoutALock) {
  for (const bool locks : {false, true}) {
    graph::Program program = counting(locks);
    EXPECT_EQ(graph::problems_of(program), std::vector<std::string>{});
    GraphSpace space(std::move(program));
    const AllStates all = search_all_states(space);
    EXPECT_EQ(all.failures.size(), locks ? 0u : 1u);
    EXPECT_EQ(all.ends.size(), 1u);
    EXPECT_TRUE(all.deadlocks.empty());
    EXPECT_GT(all.states, 10u);
  }
}

TEST(GraphSpace, FindsADeadlock) {
  graph::Program program;
  program.routines.reserve(4);
  const ObjectId a = graph::add_sync(program, "a", graph::CellKind::Mutex);
  const ObjectId b = graph::add_sync(program, "b", graph::CellKind::Mutex);
  Lines main(program, "main"), other(program, "other");
  other.act(ActionKind::MutexLock, b);
  other.act(ActionKind::MutexLock, a);
  other.act(ActionKind::MutexUnlock, a);
  other.act(ActionKind::MutexUnlock, b);
  const RegisterId handle = main.create(other.id());
  main.act(ActionKind::MutexLock, a);
  main.act(ActionKind::MutexLock, b);
  main.act(ActionKind::MutexUnlock, b);
  main.act(ActionKind::MutexUnlock, a);
  main.join(handle);
  GraphSpace space(std::move(program));
  const AllStates all = search_all_states(space);
  ASSERT_EQ(all.deadlocks.size(), 1u);
  EXPECT_EQ(*all.deadlocks.begin(), "blocked: 0 1\na = held by thread 0\nb = held by thread 1\n");
  EXPECT_EQ(all.ends.size(), 1u);
}

}  // namespace
}  // namespace heddle
