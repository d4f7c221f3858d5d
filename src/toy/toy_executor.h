// An executor that interprets toy programs. Everything that a test could want to compare (actions,
// final values) is open to it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "explore/executor.h"
#include "toy/program.h"

namespace heddle::toy {

class ToyExecutor final : public Executor {
 public:
  explicit ToyExecutor(Program program);

  Status reset() override;
  const Configuration& configuration() const override { return configuration_; }
  Status status() const override { return status_; }
  const Failure& failure() const override { return failure_; }
  Status step(Transition transition) override;
  std::span<const Action> last_section() const override { return section_; }
  bool continue_without_failed_thread() override;
  ThreadId waits_for(const Action& next) const override;
  uint64_t local_state(ThreadId thread) const;
  void set_spinning(Spinning mode) override;
  uint64_t changes() const override { return spins_.changes(); }
  ThreadId suspected_spinner() const override { return spins_.suspected_spinner(); }
  bool reconsider_loops() override { return spins_.reconsider(); }
  LoopPlaces::Place classify_loop(LoopPlaces::Kind kind, uint32_t rounds) override {
    return spins_.classify(kind, rounds);
  }
  uint64_t global_state() const override { return state_hash() | 1; }

  const Program& program() const { return program_; }
  int32_t variable(uint32_t index) const { return state_.variables[index]; }

  // The values of all variables and registers, where each thread stands, and what it waits for.
  std::string state_text() const;
  uint64_t state_hash() const;

 private:
  enum class Phase : uint8_t {
    Unborn,
    Starting,
    Running,
    Waiting,
    Relocking,
    AtBarrier,
    Leaving,  // the barrier
    Exiting,
    Ended,
    Stopped
  };

  struct Thread {
    Phase phase = Phase::Unborn;
    uint32_t pc = 0;  // index of the next instruction
    uint32_t sections = 0;
    bool at_exit = false;  // in the program's exit handlers
    bool late = false;     // its wait ends now, because nothing else goes on
    std::array<int32_t, kRegisters + 1> registers{};
  };
  struct Condition {
    std::array<uint32_t, kMaxThreads> waiters{};  // in order of their ids
    uint32_t count = 0;
  };
  struct RwLock {
    uint32_t writer = 0;                       // thread + 1
    std::array<uint8_t, kMaxThreads> reads{};  // of each thread
    uint32_t readers = 0;
    uint32_t state() const;  // model/waiting.h
  };
  struct State {
    std::vector<Thread> threads;
    std::vector<int32_t> variables;
    std::vector<uint32_t> owners;  // of mutexes: thread + 1, or 0
    std::vector<Condition> conditions;
    std::vector<uint32_t> semaphores;
    std::vector<RwLock> rwlocks;
    std::vector<uint32_t> arrived;  // at barriers
    std::vector<uint8_t> onces;     // 1: under way, 2: done
  };

  struct Fnv {  // FNV-1a
    uint64_t value = 0xcbf29ce484222325;
    void add(uint64_t word) { value = (value ^ word) * 0x100000001b3; }
  };

  const Script& script(uint32_t thread) const;
  bool ends_program(uint32_t thread) const;
  const Instruction& instruction(uint32_t thread) const;
  void run_local_instructions(uint32_t thread);
  void execute(uint32_t thread, uint32_t choice);
  void go_on_in_section(uint32_t thread);
  void execute_instruction(uint32_t thread, uint32_t choice);
  void execute_on_condition(uint32_t thread, uint32_t choice);
  void execute_on_shared(uint32_t thread);
  void unlock_shared(uint32_t thread);
  void end_wait(uint32_t thread);
  void release(uint32_t thread, uint32_t mutex);
  void wake(Condition& condition, uint32_t position);
  void fail(FindingKind kind, uint32_t thread, const char* message);
  void set_variable(uint32_t variable, int32_t value);
  void set_owner(uint32_t thread, uint32_t mutex, uint32_t owner);

  // What is seen from outside: toy_view.cc.
  Address place(uint32_t thread) const;
  Action next_action(uint32_t thread) const;
  void add_state(uint32_t thread, Action& action) const;
  bool offer_timeout();
  uint32_t choices(uint32_t thread) const;
  static void add_thread(Fnv& hash, const Thread& thread);
  void refresh_configuration();

  Program program_;
  State initial_;
  State state_;
  Configuration configuration_;
  Status status_ = Status::Finished;
  Failure failure_;
  Spinning spinning_ = Spinning::Unroll;
  std::vector<Action> section_;  // what the last step did, if it was one
  SpinMonitor spins_;
  LoopPlaces loops_;
};

}  // namespace heddle::toy
