// The native executor: runs the user's compiled program, its threads as fibers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explore/executor.h"
#include "runtime/guest/layout.h"
#include "runtime/objects/execution_objects.h"
#include "runtime/objects/section_log.h"
#include "runtime/threads/thread_table.h"

namespace heddle {

class ThreadNames;

class NativeExecutor final : public Executor, public ThreadTable, public ExecutionObjects {
 public:
  // The session.
  using Main = int (*)(int, char**, char**);

  void initialise(Main main, int argc, char** argv, char** envp);
  void set_names(ThreadNames* names) { names_ = names; }
  void use_loop_places(LoopPlaces* places) {
    using States = SpinMonitor::LocalStates;
    spins_.use_places(places, asks_local_states_ ? States::AreCheap : States::AreExpensive);
  }

  // The explorer.
  Status reset() override;
  const Configuration& configuration() const override { return configuration_; }
  Status status() const override { return status_; }
  const Failure& failure() const override { return *failure_; }
  Status step(Transition transition) override;
  void follow(Guide& guide) override;
  size_t run(std::span<const Transition> prefix) override;
  std::span<const Action> last_section() const override { return section_->actions(); }
  bool continue_without_failed_thread() override;
  size_t noted_count() const override;
  Noted noted(size_t position) const override;
  ThreadId waits_for(const Action& next) const override;
  std::optional<uint32_t> semaphore_value(Address semaphore) const override;

  void set_spinning(Spinning mode) override;
  uint64_t changes() const override { return spins_.changes(); }
  ThreadId suspected_spinner() const override {
    return tracks_spinning_ ? spins_.suspected_spinner() : kNoThread;
  }
  bool reconsider_loops() override { return spins_.reconsider(); }
  LoopPlaces::Place classify_loop(LoopPlaces::Kind kind, uint32_t rounds) override {
    return spins_.classify(kind, rounds);
  }
  uint64_t global_state() const override;
  void keep_states() override { keeps_local_states_ = true; }
  bool can_rewind() const override;

  // Checkpoints.
  // What it took to come to the first choice: to the first step, and over the steps of the prefix.
  struct Approach {
    uint64_t first = 0, steps = 0, cycles = 0;
  };
  const Approach& approach() const { return approach_; }
  void time_approaches(bool on) { times_approaches_ = on; }
  // The next execution in this process, or in children of it, goes on from here, where it has taken
  // so many steps (checkpoints.h); it must begin with the same ones.
  void stand(size_t steps);
  // This process stands no longer.
  void stop_standing();
  bool asks_local_states() const { return asks_local_states_; }

  // Intercepts, on a fiber.
  // See visible() in runtime.h. Inlined, so that the fields go straight to their place.
  uint32_t reach(const Action& action) {
    current_->pending = action;
    current_->pending.thread = current_->id;
    return arrive();
  }
  // The running thread begins an atomic section, or leaves it.
  void enter_section(Address pc);
  void leave_section();
  // In a section: it reads or writes memory.
  void note_in_section(const Action& action) { section_->add(action); }
  ThreadId next_child();  // the number the next created thread will have
  ThreadId create_thread(void* (*entry)(void*), void* argument, bool detached,
                         uint64_t stack_bytes);
  void thread_joined(ProgramThread& thread);
  [[noreturn]] void end_thread(void* result);              // pthread_exit, or return from the entry
  [[noreturn]] void exit_process(int status, Address pc);  // exit handlers included
  [[noreturn]] void quick_exit_process(int status, Address pc);  // those of quick_exit instead
  [[noreturn]] void finish_process(int status);                  // without them
  // To be called before a handler is registered, and after it.
  void register_exit_handler(Address list, Address pc);
  void exit_handler_registered() { update_pending_ends(); }
  // Whether the running thread went on because nothing else could (Op::TimeOut); true once only.
  bool take_last_resort() {
    if (current_->pending.op != Op::TimeOut) return false;
    current_->pending.op = Op::Sleep;
    return true;
  }

  // The running thread has changed something that others may notice, or has taken or given back
  // something; said by operations that do not always do so (explore/spin_monitor.h).
  void changed() { spins_.changed(); }
  void toggled(const volatile void* thing, SpinMonitor::Hold hold) {
    if (tracks_spinning_)
      spins_.toggled(current_->id, Address{reinterpret_cast<uint64_t>(thing)}, hold);
  }

  // How an execution ends (failing.cc).
  // Notes the failure of the running execution; false if it is failing already.
  bool begin_failure(Failure failure);
  [[noreturn]] void end_execution(Status status);

  // A signal or broadcast of the running thread that nobody waited for.
  void note_lonely_signal(Address condition) { lonely_signals_.add(condition, *current_, steps_); }

  // Checkers.
  bool missed_signal(const ProgramThread& waiter) const {
    return lonely_signals_.missed_by(waiter, &threads_[0]);
  }
  bool is_blocked(const ProgramThread& thread) const { return choices_of(thread) == 0; }
  bool recording() const { return recording_; }
  uint64_t steps() const { return steps_; }  // of this execution, the one under way included

  // The recorder and the debugger.
  void set_recording(bool on) { recording_ = on; }
  std::span<const Address> failure_stack() const { return {failure_stack_, failure_depth_}; }
  ThreadView view_of(const ProgramThread& thread) const {
    return {thread.id, thread.pending, choices_of(thread)};
  }
  // Stops in the debugger on the stack of a suspended thread.
  void visit(ThreadId thread);

 private:
  uint64_t approach_clock() const { return times_approaches_ ? __builtin_ia32_rdtsc() : 0; }

  uint32_t arrive();
  bool stays_in_section(ProgramThread& self);
  void begin_section_step(const Action& first);
  [[noreturn]] void leave_process(int status);
  bool exit_runs_something() const;
  Address order_of_ends(const ProgramThread& thread, Op op) const;
  void update_pending_ends();
  static void fiber_main(boost::context::detail::transfer_t transfer);
  ProgramThread& start_thread(ThreadId id, ThreadId parent, uint32_t birth, uint64_t stack_bytes);
  // Inlined: every return after a switch of stacks is one that the processor predicts wrongly.
  [[gnu::always_inline]] inline void resume(ProgramThread& thread);
  [[gnu::always_inline]] inline static void leave_explorer();
  [[gnu::always_inline]] inline static void enter_explorer();
  [[gnu::always_inline]] inline void command(ProgramThread& thread, uint32_t choice);
  [[gnu::always_inline]] inline ProgramThread* take_ahead();
  ProgramThread* ask_guide();
  ProgramThread* consult();
  [[gnu::always_inline]] inline void hand_over(Flow& from, ProgramThread* next);
  [[noreturn]] void leave_fiber();  // the running thread is over; whoever is next goes on
  void rewind();
  bool offer_timeout();
  uint32_t choices_of(const ProgramThread& thread) const {
    return always_possible(thread.pending.op) ? 1 : choices_now(thread);
  }
  uint32_t choices_now(const ProgramThread& thread) const;
  // What the thread does next, as things are.
  Action next_of(const ProgramThread& thread) const;
  void look_outside() const;
  [[noreturn]] void refuse_fork() const;
  bool runs_on(const ProgramThread& thread) const;
  bool keeps_others_out(const ProgramThread& last) const;
  void look_at_invariants();
  void refresh_configuration();
  void update_switches();
  void capture_stack(ProgramThread& thread);
  void note_local_state(ProgramThread& thread);
  void note_arrival(ProgramThread& thread);

  Main main_ = nullptr;
  int argc_ = 0;
  char** argv_ = nullptr;
  char** envp_ = nullptr;
  uint64_t main_stack_bytes_ = kStackBytes;

  ThreadNames* names_ = nullptr;
  uint32_t unjoined_ = 0;  // threads other than main that nobody has joined yet
  Flow explorer_;

  std::span<const Transition> ahead_;  // of run(): what the fibers hand each other directly
  size_t ahead_taken_ = 0;
  Guide* guide_ = nullptr;  // of follow(): whom a fiber asks before it hands over
  Approach approach_;
  bool times_approaches_ = false;
  bool stands_ = false;
  size_t standing_after_ = 0;
  const SpinMonitor* kept_spins_ =
      nullptr;  // as they were then; spins_ shares memory with children
  uint64_t steps_ = 0;
  uint64_t rewinds_ = 0;
  Op last_op_ = Op::ThreadStart;
  Address last_pc_ = kNoAddress;
  bool main_left_ = false;       // by pthread_exit
  bool thread_stopped_ = false;  // by a failure: the process would not come to its own end
  ThreadId last_ = kMainThread;
  ThreadId created_ = kNoThread;
  bool fresh_ = true;
  bool recording_ = false;
  bool asks_local_states_ = false;   // at every step, for the filter local-cycles
  bool keeps_local_states_ = false;  // those of suspended threads, for global_state()
  SpinMonitor spins_;
  Spinning spinning_ = Spinning::Unroll;
  bool tracks_spinning_ = false;
  bool visiting_ = false;

  Status status_ = Status::Finished;
  Configuration configuration_;
  Failure* failure_ = nullptr;
  SectionLog* section_ = nullptr;
  bool failing_ = false;
  Address failure_stack_[kMaxStackDepth];
  size_t failure_depth_ = 0;
};

}  // namespace heddle
