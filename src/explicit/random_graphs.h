// Random small program graphs, for tests that compare engines: a few threads with locks, condition
// variables, semaphores, barriers, branches, loops and assertions over variables of two bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "explicit/graph_script.h"

namespace heddle::explicit_states {

struct RandomGraphOptions {
  uint32_t most_threads = 3;
  uint32_t most_actions = 5;  // per thread; a lock with its unlock counts as one
  bool loops = true;          // that may go on for ever
  bool waiting = true;        // condition variables, semaphores, barriers
  bool straight = false;      // no branches either
  bool early_exit = false;    // main may end the process before the others have ended
  bool sections = true;
};

class RandomGraph {
 public:
  RandomGraph(uint64_t seed, const RandomGraphOptions& options)
      : random_(seed), options_(options) {}

  graph::Program make() {
    program_.name = "random";
    for (const char* name : {"x", "y", "z"}) variables_.push_back(global(name));
    for (const char* name : {"m", "n"}) {
      mutexes_.push_back(graph::add_sync(program_, name, graph::CellKind::Mutex));
    }
    condition_ = graph::add_sync(program_, "c", graph::CellKind::Condition);
    semaphore_ = graph::add_sync(program_, "s", graph::CellKind::Semaphore, random_.below(2));
    barrier_ = graph::add_sync(program_, "b", graph::CellKind::Barrier, 2);
    rwlock_ = graph::add_sync(program_, "rw", graph::CellKind::RwLock);
    array_ = graph::add_array(program_, "a", 2, kBits);
    const auto count = static_cast<uint32_t>(2 + random_.below(options_.most_threads - 1));
    // The last one may be created by the first instead of by main.
    const bool nested = count > 2 && random_.below(4) == 0;
    std::vector<graph::Routine> threads;
    for (uint32_t i = 0; i < count; ++i) {
      Script script("thread" + std::to_string(i + 1));
      fill(script, 1 + random_.below(options_.most_actions));
      if (nested && i == 0) {
        create(script, count);
        fill(script, 1);
      }
      threads.push_back(script.take());
    }
    Script main("main");
    std::vector<Script::Reg> handles;
    for (uint32_t i = 1; i <= (nested ? count - 1 : count); ++i) {
      handles.push_back(create(main, i));
      if (random_.below(4) == 0) fill(main, 1);
    }
    if (options_.early_exit && random_.below(2) == 0) {
      main.build().block(main.current()).jump.kind = graph::JumpKind::Exit;
    } else {
      join_all(main, handles);
      if (random_.below(2) == 0) assertion(main);
    }
    program_.routines.push_back(main.take());
    for (graph::Routine& thread : threads) program_.routines.push_back(std::move(thread));
    return std::move(program_);
  }

 private:
  using Kind = graph::ActionKind;
  static constexpr uint32_t kBits = 2;

  graph::ObjectId global(const char* name) {
    return graph::add_global(program_, name, kBits, random_.below(2));
  }
  graph::ObjectId variable() { return variables_[random_.below(variables_.size())]; }
  graph::ObjectId mutex() { return mutexes_[random_.below(mutexes_.size())]; }
  uint64_t small() { return random_.below(4); }

  void fill(Script& script, uint64_t actions) {
    for (uint64_t i = 0; i < actions; ++i) one(script);
  }

  void one(Script& script) {
    switch (random_.below(20)) {
      case 0:
      case 1:
      case 2:
        script.store(variable(), script.number(small(), kBits), kBits);
        return;
      case 3:
      case 4:
        copy(script);
        return;
      case 5:
        script.atomic_add(variable(), 1, kBits);
        return;
      case 6:
      case 7:
      case 8:
      case 9:
        locked(script);
        return;
      case 10:
        assertion(script);
        return;
      case 11:
        if (!options_.straight) branch(script);
        return;
      case 12:
        if (options_.loops) loop(script);
        return;
      case 13:
        trylock(script);
        return;
      case 14:
        if (options_.waiting) condition(script);
        return;
      case 15:
        semaphore(script);
        return;
      case 16:
        if (options_.waiting) script.on(Kind::BarrierWait, barrier_);
        return;
      case 17:
        element(script);
        return;
      case 18:
        rwlock(script);
        return;
      default:
        others(script);
        return;
    }
  }

  void copy(Script& script) {
    const Script::Reg reg = script.reg("r", kBits);
    script.load(reg, variable(), kBits);
    script.store(variable(), script.add(script.value(reg), script.number(1, kBits)), kBits);
  }

  // Critical sections, nested in either order: deadlocks.
  void locked(Script& script) {
    const graph::ObjectId outer = mutex();
    script.lock(outer);
    if (random_.below(4) == 0) {
      const graph::ObjectId inner = mutexes_[outer == mutexes_[0] ? 1 : 0];
      script.lock(inner);
      copy(script);
      const bool inner_first = random_.below(2) == 0;
      script.unlock(inner_first ? inner : outer);
      script.store(variable(), script.number(small(), kBits), kBits);
      script.unlock(inner_first ? outer : inner);
      return;
    }
    if (random_.below(2) == 0) copy(script);
    script.store(variable(), script.number(small(), kBits), kBits);
    script.unlock(outer);
  }

  void assertion(Script& script) {
    const Script::Reg reg = script.reg("r", kBits);
    script.load(reg, variable(), kBits);
    const Script::Expr is = script.equal(script.value(reg), script.number(small(), kBits));
    script.check(script.build().unary(graph::Operator::Not, is), "a value is wrong");
  }

  void branch(Script& script) {
    const Script::Reg reg = script.reg("r", kBits);
    script.load(reg, variable(), kBits);
    script.begin_if(script.equal(script.value(reg), script.number(small(), kBits)));
    one(script);
    script.end_if();
  }

  // Until a variable has a value: for ever, if nobody gives it one.
  void loop(Script& script) {
    const Script::Reg reg = script.reg("r", kBits);
    const graph::ObjectId waited = variable();
    script.begin_loop();
    script.load(reg, waited, kBits);
    script.leave_loop_if(script.equal(script.value(reg), script.number(small(), kBits)));
    if (random_.below(2) == 0) one(script);
    script.end_loop();
  }

  void trylock(Script& script) {
    const Script::Reg reg = script.reg("e", 32);
    const graph::ObjectId tried = mutex();
    script.on(Kind::MutexTryLock, tried);
    script.build().block(script.current()).action.into = reg;
    script.begin_if(script.equal(script.value(reg), script.number(0, 32)));
    script.store(variable(), script.number(small(), kBits), kBits);
    script.unlock(tried);
    script.end_if();
  }

  void condition(Script& script) {
    const graph::ObjectId lock = mutexes_[0];
    if (random_.below(2) == 0) {
      script.lock(lock);
      const Script::Reg reg = script.reg("r", kBits);
      script.load(reg, variables_[0], kBits);
      script.begin_if(script.equal(script.value(reg), script.number(0, kBits)));
      script.wait(condition_, lock);
      script.end_if();
      script.unlock(lock);
      return;
    }
    const bool locks = random_.below(2) == 0;
    if (locks) script.lock(lock);
    script.store(variables_[0], script.number(1, kBits), kBits);
    script.on(random_.below(2) == 0 ? Kind::CondSignal : Kind::CondBroadcast, condition_);
    if (locks) script.unlock(lock);
  }

  void semaphore(Script& script) {
    const bool waits = options_.waiting && random_.below(2) == 0;
    script.on(waits ? Kind::SemWait : Kind::SemPost, semaphore_);
  }

  // One of two, which one depends on a variable.
  void element(Script& script) {
    const Script::Reg reg = script.reg("i", kBits);
    script.load(reg, variable(), kBits);
    graph::RoutineBuilder& build = script.build();
    const Script::Expr low =
        build.binary(graph::Operator::And, script.value(reg), script.number(1, kBits));
    const Script::Expr address =
        script.add(script.at(array_), build.resize(graph::Operator::ZeroExtend, low, 64));
    const Script::Expr value = script.number(small(), kBits);
    graph::Action& store = script.action(Kind::Store);
    store.address = address;
    store.value = value;
    store.bits = kBits;
  }

  void rwlock(Script& script) {
    const bool writes = random_.below(2) == 0;
    script.on(writes ? Kind::RwWrite : Kind::RwRead, rwlock_);
    if (writes) {
      script.store(variable(), script.number(small(), kBits), kBits);
    } else {
      copy(script);
    }
    script.on(Kind::RwUnlock, rwlock_);
  }

  void others(Script& script) {
    switch (random_.below(4)) {
      case 0:
        script.action(Kind::Yield);
        return;
      case 1: {
        const Script::Reg reg = script.reg("c", kBits);
        const Script::Expr two = script.number(2, 32);
        graph::Action& choose = script.action(Kind::Choose);
        choose.value = two;
        choose.into = reg;
        script.store(variable(), script.value(reg), kBits);
        return;
      }
      case 2:
        if (!options_.sections) return;
        script.action(Kind::AtomicBegin);
        copy(script);
        if (random_.below(2) == 0) copy(script);
        script.action(Kind::AtomicEnd);
        return;
      default: {
        const Script::Reg reg = script.reg("r", kBits);
        script.load(reg, variable(), kBits);
        const Script::Expr is = script.equal(script.value(reg), script.number(small(), kBits));
        script.assume(script.build().unary(graph::Operator::Not, is));
        return;
      }
    }
  }

  Random random_;
  RandomGraphOptions options_;
  graph::Program program_;
  std::vector<graph::ObjectId> variables_;
  std::vector<graph::ObjectId> mutexes_;
  graph::ObjectId condition_{0}, semaphore_{0}, barrier_{0}, rwlock_{0}, array_{0};
};

inline graph::Program random_graph(uint64_t seed, const RandomGraphOptions& options = {}) {
  return RandomGraph(seed, options).make();
}

}  // namespace heddle::explicit_states
