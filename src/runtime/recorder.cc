#include "runtime/recorder.h"

#include <link.h>

#include <algorithm>
#include <map>

#include "explore/failures.h"
#include "runtime/debugger.h"
#include "runtime/evidence.h"
#include "runtime/labels.h"
#include "runtime/output.h"
#include "runtime/promoted.h"
#include "runtime/runtime.h"
#include "search/resync.h"

namespace heddle {
namespace {

std::vector<Address> stack_of_thread(const ProgramThread& thread) {
  return {thread.stack, thread.stack + thread.stack_depth};
}

std::string describe(const Action& action) {
  std::string text = "thread " + std::to_string(index(action.thread)) + " ";
  text += verb(action.op);
  const ObjectSort sort = operation(action.op).object;
  if (sort == ObjectSort::Thread) return text + " thread " + std::to_string(value(action.object));
  if (action.object == kNoAddress || sort == ObjectSort::Number) return text;
  char digits[32];
  snprintf(digits, sizeof digits, " 0x%lx", static_cast<unsigned long>(value(action.object)));
  return text + digits;
}

// With the words of the trace file where there are some: an edit may have moved the objects.
std::string describe(const TraceStep& recorded) {
  if (recorded.remark.empty()) return describe(recorded.action);
  return "thread " + std::to_string(index(recorded.action.thread)) + " " + recorded.remark;
}

Failure divergence(size_t step, const std::string& recorded, const std::string& now) {
  Failure failure;
  failure.kind = FindingKind::Nondeterminism;
  failure.message = "step " + std::to_string(step + 1) +
                    " differs from the recording: recorded was \"" + recorded + "\", now " + now;
  return failure;
}

class Recording {
 public:
  Recording(NativeExecutor& executor, const Schedule& schedule, const Trace* expected,
            LastStep last_step)
      : executor_(executor), schedule_(schedule), expected_(expected), last_step_(last_step) {}

  Trace run() {
    begin_capture();
    executor_.set_recording(true);
    executor_.set_spinning(Spinning::Unroll);  // the schedule knows where it wants to go
    evidence().begin(expected_ != nullptr ? expected_->failure : Failure{});
    executor_.reset();
    if (in_debugger()) debug_begin(schedule_.size());
    bool diverged = !(resynchronises() ? follow_edited() : follow());
    if (!diverged) judge();
    describe_end();
    if (in_debugger()) show_blocked_thread();
    flush_program_output();
    executor_.set_recording(false);
    trace_.evidence = evidence().end();
    trace_.visible_memory = promoted();
    trace_.output = end_capture();
    if (trace_.failure.kind == FindingKind::Livelock && !in_debugger()) show_loops();
    return std::move(trace_);
  }

 private:
  static bool in_debugger() { return g_runtime.header->options.stop_in_debugger; }
  bool resynchronises() const {
    return g_runtime.header->resynchronise != 0 && expected_ != nullptr &&
           !expected_->steps.empty();
  }

  // See resync.h. Differences are noted, not failures.
  bool follow_edited() {
    Resync resync(*expected_);
    while (executor_.status() == Status::Running) {
      std::optional<Transition> transition = resync.next(executor_.configuration());
      if (!transition) break;
      note_step(*executor_.configuration().find(transition->thread), transition->choice);
      if (in_debugger()) debug_before_step(trace_.steps.size(), transition->thread);
      executor_.step(*transition);
    }
    trace_.resync = std::to_string(resync.kept()) + " of " +
                    std::to_string(expected_->steps.size()) + " recorded steps were taken";
    if (resync.inserted() > 0) trace_.resync += ", " + std::to_string(resync.inserted()) + " new";
    if (resync.first_difference() > 0)
      trace_.resync += "; step " + std::to_string(resync.first_difference()) +
                       " is the first that differs: recorded was \"" +
                       describe(expected_->steps[resync.first_difference() - 1]) + "\", now \"" +
                       describe(resync.instead()) + "\"";
    return true;
  }

  const TraceStep* recorded(size_t i) const {
    if (expected_ == nullptr || i >= expected_->steps.size()) return nullptr;
    return &expected_->steps[i];
  }

  bool expects(FindingKind kind) const {
    return expected_ != nullptr && expected_->failure.kind == kind;
  }

  bool follow() {
    for (size_t i = 0; i < schedule_.size(); ++i) {
      if (executor_.status() != Status::Running) return ended_early(i);
      const ThreadView* view = executor_.configuration().find(schedule_[i].thread);
      if (!matches(i, view)) return false;
      note_step(*view, schedule_[i].choice);
      if (last_step_ == LastStep::ShowOnly && i + 1 == schedule_.size()) return true;
      if (in_debugger()) debug_before_step(i + 1, schedule_[i].thread);
      executor_.step(schedule_[i]);
    }
    return true;
  }

  bool ended_early(size_t i) {
    if (executor_.status() == Status::Failed) return true;
    const TraceStep* wanted = recorded(i);
    trace_.failure = divergence(i, wanted != nullptr ? describe(*wanted) : "a further step",
                                "the program has ended");
    return false;
  }

  bool matches(size_t i, const ThreadView* view) {
    const TraceStep* wanted = recorded(i);
    std::string expected = wanted != nullptr
                               ? describe(*wanted)
                               : "thread " + std::to_string(index(schedule_[i].thread)) + " moves";
    std::string thread = "thread " + std::to_string(index(schedule_[i].thread));
    if (view == nullptr)
      trace_.failure = divergence(i, expected, thread + " does not exist");
    else if (wanted != nullptr && !view->next.same_as(wanted->action))
      trace_.failure = divergence(i, expected, "\"" + describe(view->next) + "\"");
    else if (schedule_[i].choice >= view->choices)
      trace_.failure = divergence(i, expected, thread + " is blocked");
    else
      return true;
    return false;
  }

  void note_step(const ThreadView& view, uint32_t choice) {
    const Configuration& configuration = executor_.configuration();
    TraceStep step;
    step.action = view.next;
    step.choice = choice;
    step.choices = view.choices;
    step.preempts = view.id != configuration.last && configuration.switch_preempts();
    step.stack = stack_of_thread(executor_.thread(view.id));
    note_frame(view.next.object);
    note_frame(view.next.second);
    trace_.preemptions += step.preempts ? 1 : 0;
    trace_.schedule.push_back({view.id, choice});
    trace_.steps.push_back(std::move(step));
  }

  // Whose variable is it? Asked as long as the call is under way.
  void note_frame(Address object) {
    const ThreadId owner = object != kNoAddress ? stack_owner(value(object)) : kNoThread;
    if (owner == kNoThread || frames_.contains(object)) return;
    if (TraceFrame frame = suspended_frame(owner, object); frame.pc != kNoAddress)
      frames_.emplace(object, frame);
  }

  TraceFrame suspended_frame(ThreadId owner, Address object) const {
    const ProgramThread& thread = executor_.thread(owner);
    if (thread.life != Life::Live) return {};
    for (int i = 0; i < thread.stack_depth; ++i)
      if (const FrameRange& range = thread.frames[i]; range.contains(value(object)))
        return {owner, thread.stack[i], Address{range.begin}, Address{range.end}};
    return {};
  }

  // Of the memory that the failure is about. The failing thread has gone on since it was suspended,
  // and one that has ended was last seen in a function when it left that.
  void note_frame_of_failure() {
    const Address object = trace_.failure.object;
    const ThreadId owner = object != kNoAddress ? stack_owner(value(object)) : kNoThread;
    if (owner == kNoThread) return;
    TraceFrame frame;
    if (owner != trace_.failure.thread) frame = suspended_frame(owner, object);
    if (frame.pc == kNoAddress) frame = evidence().frame();
    if (frame.pc != kNoAddress) frames_[object] = frame;
  }

  void judge() {
    if (executor_.status() == Status::Failed) {
      trace_.failure = executor_.failure();
      auto stack = executor_.failure_stack();
      trace_.failure_stack.assign(stack.begin(), stack.end());
    } else if (executor_.status() == Status::Running && !executor_.configuration().any_enabled()) {
      trace_.failure = deadlock(executor_);
    } else if (executor_.status() == Status::Running && expects(FindingKind::Livelock)) {
      trace_.failure = expected_->failure;  // as long as the recording, and no end in sight
    } else {
      trace_.failure.kind = FindingKind::Nondeterminism;
      trace_.failure.message = executor_.status() == Status::Finished
                                   ? "the bug did not show again: the program ended normally"
                                   : "the bug did not show again: the program goes on after the "
                                     "last recorded step";
    }
  }

  // What the threads do that go round and round: each gets its turn, first until those that do not
  // are blocked or have ended, then until the others have come round.
  void show_loops() {
    constexpr size_t kRounds = 200, kMost = 12;  // actions of one thread
    begin_capture();
    executor_.set_recording(true);
    std::vector<TraceEvidence> loops;
    for (size_t round = 0; round < 2 * kRounds; ++round) {
      const std::vector<ThreadView> views = executor_.configuration().live;
      for (const ThreadView& before : views) {
        if (executor_.status() != Status::Running) break;
        const ThreadView* view = executor_.configuration().find(before.id);
        if (view == nullptr || !view->enabled()) continue;
        if (round >= kRounds) note_in_loop(*view, loops, kMost);
        executor_.step({before.id, 0});
      }
    }
    executor_.set_recording(false);
    flush_program_output();
    end_capture();
    if (executor_.status() != Status::Running) return;  // no loop at all
    std::stable_sort(loops.begin(), loops.end(), [](const auto& a, const auto& b) {
      return a.action.thread < b.action.thread;
    });
    trace_.evidence.insert(trace_.evidence.end(), loops.begin(), loops.end());
  }

  void note_in_loop(const ThreadView& view, std::vector<TraceEvidence>& loops, size_t most) const {
    size_t own = 0;
    for (const TraceEvidence& known : loops) {
      if (known.action.thread != view.id) continue;
      if (known.action.pc == view.next.pc || ++own == most) return;
    }
    loops.push_back({"loop", view.next, {}, stack_of_thread(executor_.thread(view.id))});
  }

  void describe_end() {
    for (uint32_t id : executor_.started_threads()) {
      const ProgramThread& thread = executor_.thread(ThreadId{id});
      trace_.threads.push_back({thread.id, thread.parent, thread.birth,
                                address_of(reinterpret_cast<void*>(thread.entry)), thread.name});
    }
    if (executor_.status() == Status::Running) {
      for (const ThreadView& view : executor_.configuration().live) describe_thread(view);
      find_cycle();
    } else if (trace_.failure.kind == FindingKind::LostWakeup) {
      for (uint32_t id : executor_.live_threads()) {
        const ProgramThread& thread = executor_.thread(ThreadId{id});
        if (&thread != &executor_.current()) describe_thread(executor_.view_of(thread));
      }
    }
    name_objects();
  }

  void describe_thread(const ThreadView& view) {
    TraceThreadEnd end;
    end.next = view.next;
    end.enabled = view.enabled();
    if (!end.enabled) end.waits_for = executor_.waits_for(view.next);
    end.stack = stack_of_thread(executor_.thread(view.id));
    trace_.ends.push_back(std::move(end));
  }

  ThreadId waits_for(ThreadId thread) const {
    for (const TraceThreadEnd& end : trace_.ends)
      if (end.next.thread == thread) return end.waits_for;
    return kNoThread;
  }

  void find_cycle() {
    for (const TraceThreadEnd& end : trace_.ends) {
      std::vector<ThreadId> path{end.next.thread};
      for (ThreadId next = end.waits_for; next != kNoThread; next = waits_for(next)) {
        if (next == path.front()) {
          trace_.cycle = path;
          return;
        }
        if (std::find(path.begin(), path.end(), next) != path.end()) break;
        path.push_back(next);
      }
    }
  }

  // A failing thread has stopped in the debugger by itself; of blocked ones we pick the first of
  // the circle.
  void show_blocked_thread() {
    if (executor_.status() != Status::Running || trace_.ends.empty()) return;
    executor_.visit(trace_.cycle.empty() ? trace_.failure.thread : trace_.cycle.front());
  }

  void name_objects() {
    note_frame_of_failure();
    for (const TraceStep& step : trace_.steps) name_object(step.action);
    for (const TraceThreadEnd& end : trace_.ends) name_object(end.next);
    name_object({.op = Op::Write, .object = trace_.failure.object});
  }

  void name_object(const Action& action) {
    const ObjectSort sort = operation(action.op).object;
    if (sort == ObjectSort::Number || sort == ObjectSort::Thread) return;
    for (Address object : {action.object, action.second}) {
      auto known = [&](const TraceObject& o) { return o.address == object; };
      if (object == kNoAddress || std::any_of(trace_.objects.begin(), trace_.objects.end(), known))
        continue;
      std::string name = place_name(value(object));
      const char* label = labels().of(object);
      if (name.empty() && label == nullptr) continue;
      trace_.objects.push_back({object, std::move(name), label != nullptr ? label : "", {}});
      if (auto frame = frames_.find(object); frame != frames_.end())
        trace_.objects.back().frame = frame->second;
    }
  }

  static std::string place_name(uint64_t address) {
    HeapBlock block = g_runtime.heap.find_block(address);
    if (block.begin != 0)
      return "heap block of " + std::to_string(block.bytes) + " bytes from thread " +
             std::to_string(index(block.owner)) + ", offset " +
             std::to_string(address - block.begin);
    ThreadId owner = stack_owner(address);
    if (owner != kNoThread) return "on the stack of thread " + std::to_string(index(owner));
    return {};
  }

  NativeExecutor& executor_;
  const Schedule& schedule_;
  const Trace* expected_;
  LastStep last_step_;
  Trace trace_;
  std::map<Address, TraceFrame> frames_;  // of objects on stacks
};

int note_module(dl_phdr_info* info, size_t, void* argument) {
  auto* modules = static_cast<std::vector<Module>*>(argument);
  Module module;
  module.path = info->dlpi_name;  // empty for the executable; the command line knows it
  module.base = info->dlpi_addr;
  module.begin = ~0ull;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    uint64_t begin = info->dlpi_addr + segment.p_vaddr;
    module.begin = std::min(module.begin, page_down(begin));
    module.end = std::max(module.end, page_up(begin + segment.p_memsz));
  }
  if (module.end != 0) modules->push_back(std::move(module));
  return 0;
}

}  // namespace

Trace record_execution(NativeExecutor& executor, const Schedule& schedule, const Trace* expected,
                       LastStep last_step) {
  Trace trace = Recording(executor, schedule, expected, last_step).run();
  dl_iterate_phdr(note_module, &trace.modules);
  return trace;
}

}  // namespace heddle
