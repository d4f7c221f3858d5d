#include "prove/counterexample.h"

#include <fmt/format.h>

#include "model/action.h"
#include "prove/judged_space.h"

namespace heddle::prove {
namespace {

bool is_input(const graph::Program& program, const Action& action) {
  if (action.op != Op::Choose || action.pc == kNoAddress) return false;
  const CodePlace at = code_place(action.pc);
  const graph::Block& block = program.routines[at.routine].blocks[at.block];
  return at.part > 0 && at.part <= block.statements.size() &&
         block.statements[at.part - 1].kind == graph::StatementKind::Input;
}

std::string object_text(const graph::Program& program, const Action& action) {
  switch (operation(action.op).object) {
    case ObjectSort::None:
    case ObjectSort::Number:
      return "";
    case ObjectSort::Thread:
      return fmt::format(" thread {}", value(action.object));
    default:
      return action.object == kNoAddress ? "" : ' ' + name_of(program, action.object);
  }
}

std::string describe(const graph::Program& program, const Action& action, uint32_t choice,
                     uint32_t choices) {
  std::string text = std::string(verb(action.op)) + object_text(program, action);
  if (is_input(program, action)) return fmt::format("gets the input {}", choice);
  if (choices > 1) text += fmt::format(" (alternative {} of {})", choice + 1, choices);
  return text;
}

std::string describe_waiting(const graph::Program& program, const Action& next, bool enabled) {
  const std::string_view waiting = operation(next.op).waiting;
  std::string text = fmt::format("thread {} ", index(next.thread));
  std::string object = object_text(program, next);
  if (!object.empty()) object.erase(0, 1);
  if (enabled || waiting.empty())
    text += fmt::format("is about to do: {} {}", verb(next.op), object);
  else
    text += fmt::vformat(waiting, fmt::make_format_args(object));
  const std::string place = text_of(program, place_of(program, next.pc));
  return place.empty() ? text : fmt::format("{} at {}", text, place);
}

}  // namespace

std::string name_of(const graph::Program& program, Address pointer) {
  const uint64_t number = value(pointer) >> 32;
  const auto offset = static_cast<uint32_t>(value(pointer));
  if (number == 0 || number > program.objects.size())
    return fmt::format("address {:#x}", value(pointer));
  const graph::Object& object = program.objects[number - 1];
  for (const graph::Cell& cell : object.cells)
    if (cell.offset == offset) return object.name + cell.name;
  return offset == 0 ? object.name : fmt::format("{}+{}", object.name, offset);
}

Counterexample retell(GraphSpace& space, const explicit_states::CheckFinding& finding) {
  Counterexample told;
  told.trace.failure = finding.failure;
  told.loop = finding.loop;
  const graph::Program& program = space.program();
  std::vector<uint8_t> state(space.state_size());
  std::vector<Move> moves;
  space.initial(state.data());
  ThreadId last = kNoThread;
  for (const Move move : finding.path) {
    Machine& machine = space.machine();
    TraceStep step;
    step.action = machine.next_action(state.data(), move.thread);
    step.choice = move.choice;
    step.choices = machine.choices(state.data(), move.thread);
    const ThreadId thread{move.thread};
    if (last != kNoThread && last != thread) {
      space.moves(state.data(), moves);
      for (const Move& other : moves) step.preempts |= ThreadId{other.thread} == last;
    }
    last = thread;
    told.trace.preemptions += step.preempts ? 1 : 0;
    told.trace.schedule.push_back({thread, move.choice});
    if (is_input(program, step.action)) {
      told.inputs.push_back(move.choice);
      told.taken.push_back(
          {told.trace.steps.size() + 1, thread, step.action.pc, uint64_t{move.choice}});
    }
    told.descriptions.push_back(describe(program, step.action, step.choice, step.choices));
    told.places.push_back(text_of(program, place_of(program, step.action.pc)));
    told.trace.steps.push_back(std::move(step));
    space.take(state.data(), move, state.data());
  }
  told.place = text_of(program, place_of(program, finding.failure.pc));
  told.trace.threads.emplace_back();
  told.thread_names.push_back(program.routines.front().name);
  for (size_t i = 0; i < told.trace.steps.size(); ++i) {
    const Action& action = told.trace.steps[i].action;
    if (action.op != Op::ThreadCreate) continue;
    const auto number = static_cast<uint32_t>(value(action.object));
    const StateSpace::Birth birth = space.birth(number);
    TraceThread thread;
    thread.id = ThreadId{number};
    thread.parent = ThreadId{birth.parent};
    thread.birth = birth.nth;
    told.trace.threads.push_back(thread);
    const CodePlace at = code_place(action.pc);
    const graph::Action& creates = program.routines[at.routine].blocks[at.block].action;
    told.thread_names.push_back(program.routines[graph::index(creates.routine)].name);
  }
  if (finding.failure.kind == FindingKind::Deadlock)
    for (uint32_t thread = 0; thread < space.thread_slots(); ++thread)
      if (space.is_live(state.data(), thread))
        told.waiting.push_back(describe_waiting(program,
                                                space.machine().next_action(state.data(), thread),
                                                space.machine().choices(state.data(), thread) > 0));
  return told;
}

}  // namespace heddle::prove
