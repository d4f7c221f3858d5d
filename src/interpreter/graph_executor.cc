#include "interpreter/graph_executor.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/check.h"

namespace heddle {
namespace {

constexpr size_t kMostSectionActions = 256;

uint64_t hash_bytes(const uint8_t* bytes, size_t count) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash | 1;  // 0 would mean that it is not known
}

Machine machine_for(graph::Program program, MachineOptions options) {
  std::shared_ptr<const CompiledProgram> compiled = compile(std::move(program));
  auto slots = std::make_shared<ThreadSlots>(compiled->slots);
  return {std::move(compiled), std::move(slots), options};
}

}  // namespace

GraphExecutor::GraphExecutor(graph::Program program, MachineOptions options)
    : machine_(machine_for(std::move(program), options)), state_(machine_.program().state_size) {
  machine_.set_observer(this);
  spins_.use_places(&loops_, SpinMonitor::LocalStates::AreCheap);
  find_wide_steps();
}

// A step that frees memory, or initialises a lock, after its action: a reduction must know of it,
// but only when it has been taken is it known what it did. So it is shown as a section.
void GraphExecutor::find_wide_steps() {
  const CompiledProgram& p = machine_.program();
  const graph::Footprints footprints(p.source);
  wide_.resize(p.locations.size());
  for (size_t i = kFixedLocations; i < p.locations.size(); ++i) {
    const Location& at = p.locations[i];
    const graph::RoutineId routine{at.routine};
    const graph::Stand stand{graph::BlockId{at.block}, is_inside_block(at.phase),
                             at.phase == Phase::ProcessExit};
    const graph::StepFootprint& step =
        at.phase == Phase::Starting ? footprints.start(routine) : footprints.step(routine, stand);
    wide_[i] = !step.rest.writes.empty();
  }
}

Status GraphExecutor::reset() {
  spins_.begin_execution(spinning_);
  configuration_.last = kNoThread;
  configuration_.created = kNoThread;
  configuration_.last_gave_up = false;
  last_op_ = Op::ThreadStart;
  section_.clear();
  return settle(machine_.start(state_.data()));
}

Status GraphExecutor::step(Transition transition) {
  const uint32_t thread = index(transition.thread);
  HEDDLE_CHECK(status_ == Status::Running && thread < machine_.program().slots);
  HEDDLE_CHECK(transition.choice < machine_.choices(state_.data(), thread));
  const Action action = next_action(thread);
  configuration_.last = transition.thread;
  configuration_.created = kNoThread;
  configuration_.last_gave_up = gives_up_processor(action.op);
  last_op_ = action.op;
  if (spins_.active()) spins_.goes_on(transition.thread, action.op);
  section_.clear();
  section_is_full_ = false;
  if (is_section(action)) section_.push_back(action);
  settle(machine_.step(state_.data(), thread, transition.choice));
  if (status_ != Status::Running) return status_;
  if (spins_.active() && machine_.location(state_.data(), thread).phase == Phase::Action) {
    spins_.arrives(transition.thread, next_action(thread),
                   [&] { return local_state(transition.thread); });
    refresh_configuration();
  }
  return status_;
}

Status GraphExecutor::settle(Outcome outcome) {
  const ThreadId last = configuration_.last == kNoThread ? kMainThread : configuration_.last;
  switch (outcome) {
    case Outcome::Running:
      status_ = Status::Running;
      refresh_configuration();
      if (configuration_.live.empty()) status_ = Status::Finished;
      break;
    case Outcome::Ended:
      status_ = Status::Finished;
      break;
    case Outcome::Failed:
      status_ = Status::Failed;
      failure_ = machine_.failure();
      break;
    case Outcome::Cut:
      bounds_met_.insert(machine_.bound());
      [[fallthrough]];
    case Outcome::Dismissed:
      status_ = Status::Dismissed;
      failure_.thread = last;
      break;
  }
  return status_;
}

std::span<const Action> GraphExecutor::last_section() const {
  if (section_is_full_) return {};
  return section_;
}

void GraphExecutor::in_section(const Action& action) {
  if (action.op == Op::ProcessExit) last_op_ = Op::ProcessExit;
  for (const Action& known : section_)
    if (known.same_as(action) && operation(action.op).object == ObjectSort::Variable &&
        action.op != Op::Blocked)
      return;
  section_is_full_ = section_is_full_ || section_.size() == kMostSectionActions;
  if (!section_is_full_) section_.push_back(action);
}

// Shown as an action that changes both what lies there and what locks are there.
void GraphExecutor::overwritten(uint32_t first_cell, uint32_t cells) {
  const CompiledProgram& p = machine_.program();
  for (uint32_t c = first_cell; c < first_cell + cells; ++c) {
    const CompiledCell& cell = p.cells[c];
    const uint32_t offset =
        p.source.objects[cell.object].cells[c - p.objects[cell.object].first_cell].offset;
    Action change{.op = Op::OnceEnd};
    change.thread = configuration_.last == kNoThread ? kMainThread : configuration_.last;
    change.object = Address{graph::pointer_to(graph::ObjectId{cell.object}, offset)};
    in_section(change);
  }
}

bool GraphExecutor::continue_without_failed_thread() {
  if (last_op_ == Op::ProcessExit) return false;
  if (status_ == Status::Failed && failure_.kind == FindingKind::ExitStatus) return false;
  if (status_ != Status::Failed && status_ != Status::Dismissed) return false;
  machine_.stop(state_.data(), index(failure_.thread));
  settle(Outcome::Running);
  return true;
}

ThreadId GraphExecutor::waits_for(const Action& next) const {
  // What is asked of the machine changes nothing but its scratch memory.
  Machine& machine = const_cast<Machine&>(machine_);
  const int32_t thread = machine.waits_for(state_.data(), index(next.thread));
  return thread < 0 ? kNoThread : ThreadId{static_cast<uint32_t>(thread)};
}

uint64_t GraphExecutor::global_state() const {
  return hash_bytes(state_.data(), state_.size());
}

uint64_t GraphExecutor::local_state(ThreadId thread) const {
  const StateLayout::Span& slot = machine_.program().layout.threads[index(thread)];
  return hash_bytes(state_.data() + slot.offset, slot.size);
}

void GraphExecutor::set_spinning(Spinning mode) {
  spinning_ = mode;
  spins_.set_mode(mode);
  if (status_ == Status::Running) refresh_configuration();
}

Action GraphExecutor::next_action(uint32_t thread) {
  Action next = machine_.next_action(state_.data(), thread);
  next.in_section = next.in_section || wide_[machine_.location_number(state_.data(), thread)];
  return next;
}

void GraphExecutor::refresh_configuration() {
  const ThreadId last = configuration_.last;
  const bool runs_on =
      last != kNoThread && spins_.runs_on(last) && machine_.choices(state_.data(), index(last)) > 0;
  const int32_t exclusive =
      runs_on ? static_cast<int32_t>(index(last)) : machine_.exclusive(state_.data());
  configuration_.live.clear();
  for (uint32_t thread = 0; thread < machine_.program().slots; ++thread) {
    if (!machine_.is_live(state_.data(), thread)) continue;
    const bool kept_out = exclusive >= 0 && static_cast<uint32_t>(exclusive) != thread;
    ThreadView& view = configuration_.live.emplace_back();
    view.id = ThreadId{thread};
    view.next = next_action(thread);
    view.choices = kept_out ? 0 : machine_.choices(state_.data(), thread);
    if (view.id == last) configuration_.last_at = configuration_.live.size() - 1;
    if (runs_on && view.id == last) view.next = running_on(view.next);
    if (view.choices > 0) view.spin = spins_.spin(view.id);
    if (view.spin != Spin::None) {
      view.choices = 0;
      view.round = spins_.round(view.id);
    }
  }
}

}  // namespace heddle
