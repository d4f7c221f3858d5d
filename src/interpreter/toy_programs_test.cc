// Toy programs as graphs: the same classes, final values and failures as under the toy executor,
// whose code has nothing in common with the interpreter's.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>

#include "explore/explorer.h"
#include "graph/builder.h"
#include "graph/check.h"
#include "graph/text.h"
#include "interpreter/graph_executor.h"
#include "strategies/registry.h"
#include "toy/generator.h"
#include "toy/published.h"
#include "toy/toy_executor.h"

namespace heddle {
namespace {

using graph::ActionKind;
using graph::BlockId;
using graph::ExprId;
using graph::ObjectId;
using graph::Operator;
using graph::RegisterId;
using toy::Code;
using toy::Instruction;

// A thread 0 that creates the threads which are there from the beginning, where these are several.
class Converter {
 public:
  explicit Converter(const toy::Program& toy) : toy_(toy) {}

  // Nothing where a graph cannot be the same: threads that are created by several, or joined by
  // others than their creator, twice, or never created.
  std::optional<graph::Program> run() {
    if (!fits()) return std::nullopt;
    program_.max_threads = static_cast<uint32_t>(toy_.threads.size()) + 1;
    for (const char* kind : {"v", "m", "c"})
      for (uint32_t i = 0; i < objects_; ++i) add_object(kind, i);
    program_.routines.resize(toy_.threads.size() + shift());
    for (uint32_t t = 0; t < toy_.threads.size(); ++t) script(t);
    if (shift() != 0) starter();
    return std::move(program_);
  }

 private:
  uint32_t shift() const { return toy_.initially_live > 1 ? 1 : 0; }

  bool fits() {
    if (!toy_.at_exit.empty() || (toy_.first_has_started && shift() != 0)) return false;
    uint32_t spawned = 1;
    std::set<uint32_t> joined;
    for (uint32_t t = 0; t < toy_.threads.size(); ++t)
      for (const Instruction& i : toy_.threads[t]) {
        objects_ = std::max(objects_, i.object + 1);
        if (i.code == Code::Wait) objects_ = std::max(objects_, i.second + 1);
        const bool loops_back = i.code == Code::SkipUnless && i.skip < 0;
        if (i.code != Code::Spawn && i.code != Code::Join && !loops_back) continue;
        if (loops_back) {
          loops_ = true;
          continue;
        }
        if (t != 0 || shift() != 0) return false;
        if (i.code == Code::Spawn && i.object != spawned++) return false;
        if (i.code == Code::Join && (i.object >= spawned || !joined.insert(i.object).second))
          return false;
      }
    return !(loops_ && spawned > 1);
  }

  void add_object(const std::string& kind, uint32_t i) {
    const std::string name = kind + std::to_string(i);
    if (kind == "v") graph::add_global(program_, name);
    if (kind == "m") graph::add_sync(program_, name, graph::CellKind::Mutex);
    if (kind == "c") graph::add_sync(program_, name, graph::CellKind::Condition);
  }
  ExprId at(uint32_t kind, uint32_t i) {
    return b_->constant(graph::pointer_to(ObjectId{kind * objects_ + i}), 64);
  }

  void starter() {
    graph::Routine& routine = program_.routines[0];
    routine.name = "starter";
    graph::RoutineBuilder builder(routine);
    BlockId block = builder.add_block();
    for (uint32_t t = 0; t < toy_.initially_live; ++t) {
      const BlockId next = builder.add_block();
      builder.jump(block, next);
      builder.block(next).action.kind = ActionKind::Create;
      builder.block(next).action.routine = graph::RoutineId{t + 1};
      block = next;
    }
    builder.finish(block);
  }

  void script(uint32_t thread) {
    graph::Routine& routine = program_.routines[thread + shift()];
    routine.name = "t" + std::to_string(thread);
    graph::RoutineBuilder builder(routine);
    b_ = &builder;
    for (uint32_t r = 0; r <= toy::kRegisters; ++r) builder.add_register("r" + std::to_string(r));
    scratch_ = builder.add_register("scratch");
    handle_ = builder.add_register("handle", 64);
    const toy::Script& script = toy_.threads[thread];
    // One block for each instruction, one for the end.
    for (uint32_t i = 0; i <= script.size(); ++i) builder.add_block("i" + std::to_string(i));
    for (uint32_t i = 0; i < script.size(); ++i) instruction(script, i);
    builder.finish(BlockId{static_cast<uint32_t>(script.size())});
  }

  // Results for the register that is always 0 go elsewhere.
  RegisterId into(const Instruction& i) const {
    return i.reg == toy::kZero ? scratch_ : RegisterId{i.reg};
  }
  ExprId number(int32_t value) { return b_->constant(static_cast<uint32_t>(value)); }
  ExprId holds(const Instruction& i) {
    return b_->binary(Operator::Equal, b_->read(RegisterId{i.reg}), number(i.value));
  }
  void check(BlockId block, graph::StatementKind kind, ExprId condition) {
    graph::Statement s;
    s.kind = kind;
    s.value = condition;
    b_->block(block).statements.push_back(s);
  }

  void instruction(const toy::Script& script, uint32_t at_number) {
    const Instruction& i = script[at_number];
    const BlockId block{at_number}, next{at_number + 1};
    b_->jump(block, next);
    graph::Action a;
    switch (i.code) {
      case Code::Load:
        a.kind = ActionKind::AtomicLoad, a.address = at(0, i.object), a.into = into(i);
        break;
      case Code::Store:
        a.kind = ActionKind::AtomicStore, a.address = at(0, i.object);
        a.value = b_->binary(Operator::Add, b_->read(RegisterId{i.reg}), number(i.value));
        break;
      case Code::Add:
        a.kind = ActionKind::AtomicUpdate, a.address = at(0, i.object), a.into = into(i);
        a.value = b_->binary(Operator::Add, b_->read(into(i)), number(i.value));
        break;
      case Code::Cas:
        a.kind = ActionKind::AtomicCas, a.address = at(0, i.object), a.second_into = into(i);
        a.second = number(static_cast<int32_t>(i.second)), a.value = number(i.value);
        break;
      case Code::Lock:
        a.kind = ActionKind::MutexLock, a.address = at(1, i.object);
        break;
      case Code::TryLock: {
        a.kind = ActionKind::MutexTryLock, a.address = at(1, i.object), a.into = scratch_;
        const ExprId taken = b_->binary(Operator::Equal, b_->read(scratch_), b_->constant(0));
        b_->assign(block, into(i), b_->resize(Operator::ZeroExtend, taken, 32));
        break;
      }
      case Code::Unlock:
        a.kind = ActionKind::MutexUnlock, a.address = at(1, i.object);
        break;
      case Code::Wait:
        a.kind = ActionKind::CondWait, a.address = at(2, i.object), a.second = at(1, i.second);
        break;
      case Code::Signal:
        a.kind = ActionKind::CondSignal, a.address = at(2, i.object);
        break;
      case Code::Broadcast:
        a.kind = ActionKind::CondBroadcast, a.address = at(2, i.object);
        break;
      case Code::Spawn:
        a.kind = ActionKind::Create, a.routine = graph::RoutineId{i.object}, a.into = handle_;
        break;
      case Code::Join:
        a.kind = ActionKind::Join, a.value = b_->constant(handle_of(i.object), 64);
        break;
      case Code::Yield:
        a.kind = ActionKind::Yield;
        break;
      case Code::Choose:
        a.kind = ActionKind::Choose, a.value = number(i.value), a.into = into(i);
        break;
      case Code::Exit:
        b_->block(block).jump.kind = graph::JumpKind::Exit;
        break;
      case Code::Begin:
        a.kind = ActionKind::AtomicBegin;
        break;
      case Code::End:
        a.kind = ActionKind::AtomicEnd;
        break;
      case Code::Assert:
        check(block, graph::StatementKind::Assert, holds(i));
        break;
      case Code::Assume:
        check(block, graph::StatementKind::Assume, holds(i));
        break;
      case Code::Count:
        if (i.reg != toy::kZero)
          b_->assign(block, RegisterId{i.reg},
                     b_->binary(Operator::Add, b_->read(RegisterId{i.reg}), number(i.value)));
        break;
      case Code::SkipUnless: {
        const int64_t target = int64_t{at_number} + 1 + i.skip;
        const auto end = static_cast<int64_t>(script.size());
        b_->branch(block, holds(i), next, BlockId{static_cast<uint32_t>(std::min(target, end))});
        break;
      }
    }
    b_->block(block).action = a;
  }

  const toy::Program& toy_;
  graph::Program program_;
  uint32_t objects_ = 1;
  bool loops_ = false;
  graph::RoutineBuilder* b_ = nullptr;
  RegisterId scratch_{0}, handle_{0};
};

constexpr uint32_t kLivelock = 1000;

struct Seen {
  uint64_t classes = 0;
  std::set<std::string> ends;  // values of the variables; who is blocked
  std::set<uint32_t> failed;   // threads, kLivelock
  bool complete = false;
  bool self_deadlock = false;  // which the toy executor takes for waiting
};

class LastEnding final : public ExploreObserver {
 public:
  void execution_ended(const ExecutionSummary& summary) override { last = summary; }
  ExecutionSummary last;
};

// `shift`: how much larger the numbers of threads are than in the toy program.
template <typename Values>
Seen explore(Executor& executor, const char* strategy, uint32_t variables, uint32_t shift,
             Values value_of) {
  RunOptions options;
  std::strcpy(options.strategy, strategy);
  Explorer explorer(make_strategy(options),
                    {.max_executions = 5000, .max_steps = 1000, .keep_going = true});
  LastEnding observer;
  Seen seen;
  while (explorer.begin_execution(observer)) {
    explorer.explore_one(executor, observer);
    explorer.finish_execution(observer);
    // What others do after a failure differs between equivalent executions.
    if (observer.last.is_probe || observer.last.failed || observer.last.dismissed) continue;
    if (observer.last.ending != Ending::Finished && observer.last.ending != Ending::Stuck) continue;
    std::string text;
    for (uint32_t v = 0; v < variables; ++v) text += std::to_string(value_of(v)) + " ";
    if (observer.last.ending == Ending::Stuck)
      for (const ThreadView& view : executor.configuration().live)
        text += "blocked " + std::to_string(index(view.id) - shift) + " ";
    seen.ends.insert(text);
  }
  for (const Finding& finding : explorer.findings()) {
    // Which of several threads that wait is named is chance.
    const FindingKind kind = finding.failure.kind;
    if (kind == FindingKind::Livelock)
      seen.failed.insert(kLivelock);
    else if (kind != FindingKind::Deadlock)
      seen.failed.insert(index(finding.failure.thread) - shift);
    seen.self_deadlock |= finding.failure.message.find("self-deadlock") != std::string::npos;
  }
  seen.classes = explorer.executions() - explorer.blocked();
  seen.complete = explorer.complete();
  return seen;
}

Seen explore_graph(const graph::Program& program, const char* strategy, uint32_t variables,
                   uint32_t shift) {
  GraphExecutor executor(program);
  return explore(executor, strategy, variables, shift, [&](uint32_t v) {
    const CompiledCell& cell = executor.machine().program().cells[v];
    return static_cast<int32_t>(load_bytes(executor.state() + cell.offset, 4));
  });
}

Seen explore_toy(const toy::Program& program, const char* strategy, uint32_t variables) {
  toy::ToyExecutor executor(program);
  return explore(executor, strategy, variables, 0,
                 [&](uint32_t v) { return executor.variable(v); });
}

bool uses(const toy::Program& program, Code code) {
  for (const toy::Script& script : program.threads)
    for (const Instruction& i : script)
      if (i.code == code) return true;
  return false;
}

uint32_t variables_of(const graph::Program& program) {
  uint32_t count = 0;
  for (const graph::Object& object : program.objects) count += object.name.front() == 'v' ? 1 : 0;
  return count;
}

struct Family {
  const char* name;
  toy::Program (*make)(uint64_t seed);
  uint64_t seeds;
  size_t least;  // so many of them can be compared
  bool loops = false;
};

class ToyPrograms : public testing::TestWithParam<Family> {};

TEST_P(ToyPrograms, AreTheSameAsGraphs) {
  size_t compared = 0, classes = 0;
  for (uint64_t seed = 0; seed < GetParam().seeds; ++seed) {
    const toy::Program program = GetParam().make(seed);
    const std::optional<graph::Program> graph = Converter(program).run();
    if (!graph.has_value()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(program) + to_text(*graph));
    ASSERT_EQ(graph::problems_of(*graph), std::vector<std::string>{});
    const uint32_t variables = variables_of(*graph), shift = program.initially_live > 1 ? 1 : 0;
    const Seen other = explore_graph(*graph, "optimal-dpor", variables, shift);
    if (!other.complete || other.self_deadlock) continue;
    const Seen toy = explore_toy(program, "optimal-dpor", variables);
    if (!toy.complete) continue;
    ++compared;
    classes += toy.classes;
    EXPECT_EQ(other.ends, toy.ends);
    EXPECT_EQ(other.failed, toy.failed);
    // A graph calls exit, which turns to the exit handlers first.
    // In loops a register that is dead makes no difference to a graph: it comes back sooner.
    const bool same_classes = !uses(program, Code::Exit) && !GetParam().loops;
    if (same_classes) {
      EXPECT_EQ(other.classes, toy.classes);
    }
    if (HasFailure()) break;
  }
  printf("%s: %zu programs, %zu classes\n", GetParam().name, compared, classes);
  EXPECT_GE(compared, GetParam().least);
}

INSTANTIATE_TEST_SUITE_P(Families, ToyPrograms,
                         testing::Values(Family{"programs", toy::random_program, 400, 100},
                                         Family{"crowds", toy::random_crowd, 400, 100},
                                         Family{"accesses", toy::random_accesses, 400, 200},
                                         Family{"sections", toy::random_sections, 400, 100},
                                         Family{"endings", toy::random_endings, 400, 100},
                                         Family{"waiters", toy::random_waiters, 200, 100, true}),
                         [](const auto& info) { return std::string(info.param.name); });

struct Known {
  const char* name;
  toy::Program program;
  uint64_t classes;
};
void PrintTo(const Known& known, std::ostream* stream) {
  *stream << known.name;
}

class PublishedGraphs : public testing::TestWithParam<Known> {};

TEST_P(PublishedGraphs, NumberOfClasses) {
  const std::optional<graph::Program> graph = Converter(GetParam().program).run();
  ASSERT_TRUE(graph.has_value());
  const Seen seen = explore_graph(*graph, "optimal-dpor", 0, 0);
  EXPECT_TRUE(seen.complete);
  EXPECT_EQ(seen.classes, GetParam().classes);
  EXPECT_TRUE(seen.failed.empty());
}

// See src/toy/published_test.cc.
INSTANTIATE_TEST_SUITE_P(Classes, PublishedGraphs,
                         testing::Values(Known{"filesystem_14", toy::filesystem(14), 2},
                                         Known{"filesystem_16", toy::filesystem(16), 8},
                                         Known{"filesystem_19", toy::filesystem(19), 64},
                                         Known{"indexer_12", toy::indexer(12), 8},
                                         Known{"indexer_14", toy::indexer(14), 512},
                                         Known{"readers_8", toy::readers(8), 256},
                                         Known{"readers_10", toy::readers(10), 1024},
                                         Known{"lastzero_5", toy::lastzero(5), 64},
                                         Known{"lastzero_10", toy::lastzero(10), 3328},
                                         Known{"philosophers_4x2", toy::philosophers(4, 2), 786},
                                         Known{"barrier_2x2", toy::barrier(2, 2), 54},
                                         Known{"thread_pool_2", toy::thread_pool(2), 90}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle
