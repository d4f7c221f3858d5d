#include "graph/generator.h"

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "graph/builder.h"

namespace heddle::graph {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, const GeneratorOptions& options) : random_(seed), options_(options) {}

  Program run() {
    program_.name = "random";
    program_.files = {"random.c"};
    program_.max_threads = options_.threads + 2;
    make_objects();
    program_.routines.reserve(2 + options_.threads);
    program_.routines.resize(1 + options_.threads);
    for (uint32_t r = 1; r < program_.routines.size(); ++r) worker(r);
    main();
    return std::move(program_);
  }

 private:
  bool chance(uint64_t percent) { return random_.below(100) < percent; }
  uint32_t below(size_t n) { return static_cast<uint32_t>(random_.below(n)); }
  template <typename T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  void make_objects() {
    const uint32_t widths[] = {1, 8, 32};
    for (uint32_t i = 0; i < 2; ++i)
      variables_.push_back(
          add_global(program_, "v" + std::to_string(i), widths[below(3)], below(2)));
    array_ = add_array(program_, "a", 2, 8);
    const CellKind kinds[] = {CellKind::Mutex, CellKind::Mutex, CellKind::RecursiveMutex,
                              CellKind::ErrorCheckMutex, CellKind::SpinLock};
    for (uint32_t i = 0; i < 2; ++i)
      mutexes_.push_back(add_sync(program_, "m" + std::to_string(i), kinds[below(5)]));
    plain_ = add_sync(program_, "plain", CellKind::Mutex);
    condition_ = add_sync(program_, "c", CellKind::Condition);
    semaphore_ = add_sync(program_, "s", CellKind::Semaphore, below(2));
    rwlock_ = add_sync(program_, "rw", CellKind::RwLock);
    barrier_ = add_sync(program_, "b", CellKind::Barrier, 2);
    once_ = add_sync(program_, "o", CellKind::Once);
    if (options_.pointers) make_heap();
  }

  // One or two blocks for each thread, and a global that may point to one.
  void make_heap() {
    Site& site = program_.sites.emplace_back();
    site.name = "node";
    site.objects.resize(options_.threads + 1);
    for (uint32_t slot = 0; slot <= options_.threads; ++slot)
      for (uint32_t i = below(2); i < 2; ++i) {
        Object& object = program_.objects.emplace_back();
        object.name = "node" + std::to_string(slot) + "_" + std::to_string(i);
        object.kind = ObjectKind::Heap;
        object.size = 16;
        object.cells.push_back({.bits = 32, .initialised = chance(60), .name = ".value"});
        object.cells.push_back({.offset = 8, .bits = 64, .name = ".next"});
        site.objects[slot].push_back(ObjectId{static_cast<uint32_t>(program_.objects.size() - 1)});
      }
    pointer_ = add_global(program_, "head", 64);
  }

  // ---- routines ----

  RoutineBuilder& b() { return *b_; }
  Place somewhere() { return {0, 1 + below(90), 0}; }
  ExprId at(ObjectId object, uint32_t offset = 0) {
    return b().constant(pointer_to(object, offset), 64);
  }
  // A new block with the action, after the current one.
  Action& act(ActionKind kind, ExprId address = kNoExpr) {
    const BlockId next = b().add_block();
    b().jump(block_, next, somewhere());
    block_ = next;
    Action& action = b().block(next).action;
    action.kind = kind;
    action.address = address;
    action.place = somewhere();
    return action;
  }
  RegisterId fresh(uint32_t bits) {
    return b().add_register("r" + std::to_string(b().routine().registers.size()), bits);
  }
  // A value of that width from what the thread has read, or a small number.
  ExprId value(uint32_t bits) {
    if (numbers_.empty() || chance(50)) return b().constant(below(3), bits);
    const ExprId read = b().read(one_of(numbers_));
    const Operator op = b().bits(read) < bits ? Operator::ZeroExtend : Operator::Truncate;
    const ExprId sized = b().resize(op, read, bits);
    const Operator ops[] = {Operator::Add, Operator::Sub, Operator::Xor,
                            Operator::And, Operator::Mul, Operator::SRem};
    return chance(60) ? b().binary(ops[below(6)], sized, b().constant(1 + below(2), bits)) : sized;
  }
  ExprId condition() {
    if (numbers_.empty()) return b().constant(below(2), 1);
    const ExprId read = b().read(one_of(numbers_));
    const Operator ops[] = {Operator::Equal, Operator::NotEqual, Operator::SLess,
                            Operator::ULessEq};
    return b().binary(ops[below(4)], read, b().constant(below(3), b().bits(read)));
  }

  void begin_routine(uint32_t number, std::string name) {
    Routine& routine = program_.routines[number];
    routine.name = std::move(name);
    builder_.emplace_back(std::make_unique<RoutineBuilder>(routine));
    b_ = builder_.back().get();
    numbers_.clear();
    block_ = b().add_block("entry");
  }

  void worker(uint32_t number) {
    begin_routine(number, "worker" + std::to_string(number));
    b().routine().parameter = b().add_register("argument", 64);
    if (chance(50)) numbers_.push_back(b().routine().parameter);
    for (uint32_t n = 1 + below(options_.actions); n > 0; --n) piece(1);
    b().finish(block_, chance(30) && !numbers_.empty() ? b().read(one_of(numbers_)) : kNoExpr);
  }

  void main() {
    begin_routine(0, "main");
    std::vector<RegisterId> handles;
    if (chance(30)) access();
    for (uint32_t r = 1; r < program_.routines.size(); ++r) {
      const RegisterId handle = fresh(64);
      const ExprId argument = b().constant(below(3), 64);
      Action& action = act(ActionKind::Create);
      action.routine = RoutineId{r};
      action.value = argument;
      action.into = handle;
      if (chance(5)) {
        const ExprId detached = b().read(handle);
        act(ActionKind::Detach).value = detached;
      } else {
        handles.push_back(handle);
      }
    }
    for (uint32_t n = below(2); n > 0; --n) piece(1);
    for (RegisterId handle : handles) {
      if (chance(10)) continue;
      const ExprId who = b().read(handle);
      const RegisterId result = chance(30) ? fresh(32) : kNoRegister;
      Action& action = act(ActionKind::Join);
      action.value = who;
      action.into = result;
      if (result != kNoRegister) numbers_.push_back(result);
    }
    if (chance(40)) access();
    if (options_.errors && chance(30)) assert_something();
    if (chance(70)) {
      b().finish(block_);
      if (chance(80)) b().block(block_).jump.kind = JumpKind::Exit;
    } else {
      b().finish(block_);
    }
  }

  // One thing that a thread does, of one or several actions.
  void piece(uint32_t depth) {
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        return access();
      case 3:
      case 4:
        return locked(depth);
      case 5:
        return options_.atomics ? atomic() : heap_or_access();
      case 6:
        return branch(depth);
      case 7:
        return depth > 0 ? loop(depth) : access();
      case 8:
      case 9:
        return options_.sync ? synchronise() : heap_or_access();
      case 10:
        return options_.choices ? choose() : access();
      default:
        if (options_.sections && chance(60)) return section();
        return heap_or_access();
    }
  }
  void heap_or_access() { options_.pointers ? heap() : access(); }

  void access() {
    if (options_.pointers && chance(20)) return element();
    const ObjectId variable = one_of(variables_);
    const uint8_t bits = program_.objects[index(variable)].cells[0].bits;
    const ExprId address = at(variable);
    if (chance(50)) {
      const RegisterId into = fresh(bits);
      Action& action = act(chance(50) ? ActionKind::Load : ActionKind::AtomicLoad, address);
      action.bits = bits;
      action.into = into;
      numbers_.push_back(into);
    } else {
      const ExprId stored = value(bits);
      Action& action = act(chance(50) ? ActionKind::Store : ActionKind::AtomicStore, address);
      action.bits = bits;
      action.value = stored;
    }
  }

  // Of the array, by a computed index; sometimes one too far.
  void element() {
    const ExprId index = b().binary(Operator::And, value(64),
                                    b().constant(options_.errors && chance(5) ? 3 : 1, 64));
    const ExprId address = b().binary(Operator::Add, at(array_), index);
    const RegisterId into = fresh(8);
    const ExprId stored = value(8);
    if (chance(50)) {
      Action& action = act(ActionKind::Load, address);
      action.bits = 8;
      action.into = into;
      numbers_.push_back(into);
    } else {
      Action& action = act(ActionKind::Store, address);
      action.bits = 8;
      action.value = stored;
    }
  }

  void locked(uint32_t depth) {
    const ObjectId mutex = one_of(mutexes_);
    const ExprId address = at(mutex);
    if (options_.errors && chance(5)) {
      act(ActionKind::MutexUnlock, address);
      return;
    }
    if (chance(25)) {
      const RegisterId error = fresh(32);
      act(ActionKind::MutexTryLock, address).into = error;
      const BlockId inside = b().add_block(), after = b().add_block();
      b().branch(block_, b().binary(Operator::Equal, b().read(error), b().constant(0)), inside,
                 after);
      block_ = inside;
      access();
      act(ActionKind::MutexUnlock, address);
      b().jump(block_, after);
      block_ = after;
      return;
    }
    act(ActionKind::MutexLock, address);
    if (depth > 0 && chance(40)) piece(depth - 1);
    access();
    if (!options_.errors || chance(96)) act(ActionKind::MutexUnlock, address);
  }

  void atomic() {
    const ObjectId variable = one_of(variables_);
    const uint8_t bits = program_.objects[index(variable)].cells[0].bits;
    const ExprId address = at(variable);
    const RegisterId old = fresh(bits), done = fresh(1);
    if (chance(50)) {
      const ExprId next = b().binary(Operator::Add, b().read(old), b().constant(1, bits));
      Action& action = act(ActionKind::AtomicUpdate, address);
      action.bits = bits;
      action.into = old;
      action.value = next;
      numbers_.push_back(old);
    } else {
      const ExprId expected = value(bits), next = value(bits);
      Action& action = act(ActionKind::AtomicCas, address);
      action.bits = bits;
      action.into = chance(50) ? old : kNoRegister;
      action.second = expected;
      action.value = next;
      action.second_into = done;
      numbers_.push_back(done);
    }
  }

  void branch(uint32_t depth) {
    const ExprId holds = condition();
    const BlockId then = b().add_block(), otherwise = b().add_block(), after = b().add_block();
    b().branch(block_, holds, then, otherwise, somewhere());
    const std::vector<RegisterId> before = numbers_;
    block_ = then;
    if (depth > 0) piece(depth - 1);
    b().jump(block_, after);
    numbers_ = before;
    block_ = otherwise;
    if (depth > 0 && chance(30)) piece(depth - 1);
    b().jump(block_, after);
    numbers_ = before;
    block_ = after;
  }

  // Two rounds at most; sometimes it looks for a value meanwhile.
  void loop(uint32_t depth) {
    const RegisterId round = fresh(8);
    b().assign(block_, round, b().constant(0, 8));
    const BlockId head = b().add_block("loop" + std::to_string(b().routine().blocks.size()));
    b().jump(block_, head);
    const BlockId body = b().add_block(), after = b().add_block();
    const ExprId more = b().binary(Operator::ULess, b().read(round), b().constant(2, 8));
    b().branch(head, more, body, after);
    const std::vector<RegisterId> before = numbers_;
    block_ = body;
    b().assign(block_, round, b().binary(Operator::Add, b().read(round), b().constant(1, 8)));
    access();
    if (depth > 1 && chance(30)) piece(0);
    b().jump(block_, head);
    numbers_ = before;
    block_ = after;
  }

  void synchronise() {
    switch (below(6)) {
      case 0:
        return wait_or_signal();
      case 1:
        if (chance(50)) {
          act(ActionKind::SemPost, at(semaphore_));
        } else if (chance(60)) {
          act(ActionKind::SemWait, at(semaphore_));
        } else {
          const RegisterId error = fresh(32);
          const ExprId address = at(semaphore_);
          act(chance(70) ? ActionKind::SemTryWait : ActionKind::SemValue, address).into = error;
          numbers_.push_back(error);
        }
        return;
      case 2: {
        const RegisterId error = fresh(32);
        const ExprId address = at(rwlock_);
        const bool tries = chance(30), writes = chance(50);
        Action& action = act(writes  ? tries ? ActionKind::RwTryWrite : ActionKind::RwWrite
                             : tries ? ActionKind::RwTryRead
                                     : ActionKind::RwRead,
                             address);
        action.into = error;
        const BlockId inside = b().add_block(), after = b().add_block();
        b().branch(block_, b().binary(Operator::Equal, b().read(error), b().constant(0)), inside,
                   after);
        block_ = inside;
        access();
        act(ActionKind::RwUnlock, address);
        b().jump(block_, after);
        block_ = after;
        return;
      }
      case 3: {
        const RegisterId serial = fresh(1);
        const ExprId address = at(barrier_);
        act(ActionKind::BarrierWait, address).into = serial;
        numbers_.push_back(serial);
        return;
      }
      case 4: {
        const RegisterId first = fresh(1);
        const ExprId address = at(once_);
        act(ActionKind::OnceBegin, address).into = first;
        const BlockId inside = b().add_block(), after = b().add_block();
        b().branch(block_, b().read(first), inside, after);
        block_ = inside;
        access();
        act(ActionKind::OnceEnd, address);
        b().jump(block_, after);
        block_ = after;
        return;
      }
      default:
        act(ActionKind::Yield);
    }
  }

  void wait_or_signal() {
    if (chance(60)) {
      act(chance(60) ? ActionKind::CondSignal : ActionKind::CondBroadcast, at(condition_));
      return;
    }
    const ExprId condition = at(condition_), mutex = at(plain_);
    act(ActionKind::MutexLock, mutex);
    act(ActionKind::CondWait, condition).second = mutex;
    act(ActionKind::MutexUnlock, mutex);
  }

  void choose() {
    const RegisterId into = fresh(chance(50) ? 1 : 8);
    switch (below(4)) {
      case 3:
        return ask_who_runs();
      case 0: {
        Statement& input = b().block(block_).statements.emplace_back();
        input.kind = StatementKind::Input;
        input.into = fresh(1);
        input.place = somewhere();
        numbers_.push_back(input.into);
        return;
      }
      case 1:
        if (!numbers_.empty() && chance(40)) {
          const ExprId holds = condition();
          Statement& assume = b().block(block_).statements.emplace_back();
          assume.kind = StatementKind::Assume;
          assume.value = holds;
          return;
        }
        [[fallthrough]];
      default: {
        const ExprId ways = b().constant(2, 8);
        Action& action = act(ActionKind::Choose);
        action.value = ways;
        action.into = into;
        numbers_.push_back(into);
      }
    }
  }

  // Whether it is main, or the thread that main has created first.
  void ask_who_runs() {
    const RegisterId self = fresh(64);
    Statement& asks = b().block(block_).statements.emplace_back();
    asks.kind = StatementKind::Self;
    asks.into = self;
    asks.place = somewhere();
    const RegisterId is = fresh(1);
    const ExprId handle = b().constant(uint64_t{0xffffffff} << 32 | below(2), 64);
    b().assign(block_, is, b().binary(Operator::Equal, b().read(self), handle), somewhere());
    numbers_.push_back(is);
  }

  void assert_something() {
    if (numbers_.empty()) return;
    const ExprId holds = condition();
    Statement& made = b().block(block_).statements.emplace_back();
    made.kind = StatementKind::Assert;
    made.value = holds;
    made.place = somewhere();
    if (chance(50)) made.message = "a \"number\" is as expected";
  }

  void section() {
    act(ActionKind::AtomicBegin);
    access();
    if (chance(50)) access();
    if (chance(20)) end_here_at_times();
    if (chance(30)) act(ActionKind::MutexLock, at(plain_));
    if (chance(30)) access();
    if (chance(50)) act(ActionKind::MutexUnlock, at(plain_));
    act(ActionKind::AtomicEnd);
  }

  // The thread, or the process.
  void end_here_at_times() {
    const BlockId end = b().add_block(), after = b().add_block();
    b().branch(block_, condition(), end, after);
    b().finish(end);
    if (chance(50)) b().block(end).jump.kind = JumpKind::Exit;
    block_ = after;
  }

  // Publishes a new node, or looks at the one that is published, or takes it away.
  void heap() {
    const ExprId head = at(pointer_);
    if (chance(50)) {
      const RegisterId node = fresh(64);
      Statement& made = b().block(block_).statements.emplace_back();
      made.kind = StatementKind::Allocate;
      made.into = node;
      made.place = somewhere();
      const ExprId number = value(32), pointer = b().read(node);
      if (chance(80)) {
        Action& first = act(ActionKind::Store, pointer);
        first.bits = 32;
        first.own = chance(50);
        first.value = number;
      }
      Action& publish = act(ActionKind::Store, head);
      publish.bits = 64;
      publish.value = pointer;
      return;
    }
    const RegisterId seen = fresh(64), number = fresh(32);
    const ExprId pointer = b().read(seen), null = b().constant(0, 64);
    Action& look = act(chance(50) ? ActionKind::Load : ActionKind::AtomicLoad, head);
    look.bits = 64;
    look.into = seen;
    const BlockId inside = b().add_block(), after = b().add_block();
    b().branch(block_, b().binary(Operator::NotEqual, pointer, null), inside, after);
    block_ = inside;
    if (chance(60)) {
      Action& read = act(ActionKind::Load, pointer);
      read.bits = 32;
      read.into = number;
    } else {
      if (chance(70)) {
        Action& take = act(ActionKind::Store, head);
        take.bits = 64;
        take.value = null;
      }
      if (options_.errors) act(ActionKind::Free, pointer);
    }
    b().jump(block_, after);
    block_ = after;
  }

  Random random_;
  GeneratorOptions options_;
  Program program_;
  std::vector<ObjectId> variables_, mutexes_;
  ObjectId array_{0}, plain_{0}, condition_{0}, semaphore_{0}, rwlock_{0}, barrier_{0}, once_{0},
      pointer_{0};
  std::vector<std::unique_ptr<RoutineBuilder>> builder_;
  RoutineBuilder* b_ = nullptr;
  BlockId block_{0};
  std::vector<RegisterId> numbers_;  // what the thread has read
};

}  // namespace

Program random_program(uint64_t seed, const GeneratorOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace heddle::graph
