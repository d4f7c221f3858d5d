// Kahlon, Gupta and Sinha, "Symbolic Model Checking of Concurrent Programs using Partial Orders and
// On-the-fly Transactions", section 4.2: in each state one set of threads is selected, such that no
// thread outside can be the first to interfere with a step of one inside. src/explicit/stubborn.cc
// does the same for stored states and says why it is sound; here it is a circuit:
//
//   touch-now        what the next action of a thread touches, by its address as it is now, and
//   what
//                    the rest of its step may touch
//   touch-now-later  what a thread may touch from where it stands on, as far as the text says; with
//                    the sets of locks that it acquires on the way (lock_patterns.h)
//   conflict         of an enabled thread with whoever may touch later what it touches now, one of
//                    both writing; of a blocked one with whoever may make its action possible: the
//                    holder of the lock it waits for, or those who may write what it waits for
//   closure          of that relation, from each enabled thread
//   choice           the closure with the fewest enabled threads, the first of several
//
// A lock that a thread holds counts for transactions only while nobody may make it anew. Where an
// address leads to nothing, where a step may close a cycle of its thread ("sticky" places), and in
// atomic sections, a thread conflicts with everybody.
//
// A step that ends the execution (a failure, an assumption that does not hold, the end of the
// process) puts off all other threads for ever. So where all selected threads would take such a
// step, the others may be scheduled as well. That is asked of the step that the circuit takes now,
// hence a step that may be several of the circuit's conflicts with everybody, too.
//
// Preserved are deadlocks, failures of every kind, data races, and ends with the state they leave.
#include "circuit/reduction.h"

#include <bit>
#include <map>

#include "circuit/lock_patterns.h"
#include "explicit/footprints.h"
#include "interpreter/graph_space.h"
#include "interpreter/sync_cells.h"

namespace heddle::circuit {
namespace {

using explicit_states::Footprint;
using explicit_states::Footprints;
using graph::ActionKind;

class Reducer {
 public:
  Reducer(Encoding& encoding, std::vector<StepEncoder>& steps, const std::vector<Literal>& able,
          ScheduleReduction reduction)
      : e_(encoding),
        aig_(encoding.system.aig),
        steps_(steps),
        able_(able),
        space_(encoding.plan.program, encoding.plan.slots),
        footprints_(space_),
        patterns_(space_, footprints_, reduction == ScheduleReduction::Transactions),
        slots_(steps.size()) {}

  std::vector<Literal> run(Literal quiet) {
    for (uint32_t slot = 0; slot < slots_.size(); ++slot) look_at(slot);
    for (uint32_t slot = 0; slot < slots_.size(); ++slot) find_safe_locks(slot);
    relate();
    close();
    std::vector<Literal> selected = select();
    // All of them would end the execution: the others may go as well.
    std::vector<Literal> goes_on;
    for (uint32_t slot = 0; slot < slots_.size(); ++slot)
      goes_on.push_back(aig_.land({selected[slot], able_[slot], !aig_.lor(e_.ends_run[slot])}));
    const Literal free = aig_.lor(!quiet, !aig_.lor(goes_on));
    for (Literal& each : selected) each = aig_.lor(each, free);
    return selected;
  }

 private:
  using Group = std::map<LockSets, std::vector<Literal>>;  // where it stands, by what it needs
  struct Slot {
    StepEncoder::NextTouches next;
    std::map<uint32_t, std::vector<Literal>> reads, writes;  // now, with the rest of the step
    std::map<LaterTouch, Group> later;
    std::vector<Literal> sticky;
    std::vector<Literal> safe_locks;  // by lock: held, and nobody may make it anew
    std::vector<Literal> reach;       // by slot: in its set
  };

  void look_at(uint32_t number) {
    Slot& slot = slots_[number];
    const StepEncoder& step = steps_[number];
    slot.next = steps_[number].next_touches(space_);
    slot.sticky.push_back(slot.next.unknown);
    for (const StepEncoder::NextTouch& touch : slot.next.touches)
      (touch.writes ? slot.writes : slot.reads)[touch.resource].push_back(touch.when);
    for (uint32_t code = 0; code < step.plan().stops.size(); ++code) look_at_stop(number, code);
  }

  void look_at_stop(uint32_t number, uint32_t code) {
    Slot& slot = slots_[number];
    const Stop& stop = steps_[number].plan().stops[code];
    const Literal at = steps_[number].at(code);
    const uint32_t end = space_.resource_of_thread(number);
    if (stop.kind == StopKind::Exiting)
      slot.later[{end, TouchKind::Writes}][LockSets{0}].push_back(at);
    if (stop.kind < StopKind::Starting || stop.kind == StopKind::ProcessExit) return;
    slot.later[{end, TouchKind::Writes}][LockSets{0}].push_back(at);
    const graph::Routine& routine = space_.program().routines[stop.routine];
    const ActionKind kind = routine.blocks[stop.block].action.kind;
    const bool inside = kind == ActionKind::CondWait &&
                        (stop.kind == StopKind::Blocked || stop.kind == StopKind::Woken);
    for (const auto& [touch, sets] : patterns_.later(stop.routine, stop.block, inside))
      slot.later[touch][sets].push_back(at);
    if (stop.kind == StopKind::ExitTurn) return;
    const Footprint& rest = footprints_.rest_of_step({number, stop.routine, stop.block, inside});
    rest.reads.for_each([&](uint32_t r) { slot.reads[r].push_back(at); });
    rest.writes.for_each([&](uint32_t r) { slot.writes[r].push_back(at); });
    if (is_sticky(stop, kind)) slot.sticky.push_back(at);
  }

  bool is_sticky(const Stop& stop, ActionKind kind) {
    if (space_.machine().program().has.sections) return true;
    if (footprints_.may_close_cycle(stop.routine, stop.block, false)) return true;
    const RoutinePlan& plan = e_.plan.of_routine[stop.routine];
    if (stop.kind == StopKind::Starting)
      return !plan.stops[0] ? kind != ActionKind::None : is_split_before(kind);
    return leads_to_split(stop.routine, stop.block);
  }
  // The lock may be the thread's own, and then the step goes on.
  static bool is_split_before(ActionKind kind) {
    return kind == ActionKind::RwRead || kind == ActionKind::RwWrite;
  }
  bool leads_to_split(uint32_t routine, uint32_t block) const {
    const RoutinePlan& plan = e_.plan.of_routine[routine];
    const std::vector<graph::Block>& blocks = space_.program().routines[routine].blocks;
    std::vector<bool> seen(blocks.size());
    std::vector<uint32_t> todo{block};
    while (!todo.empty()) {
      const graph::Jump& jump = blocks[todo.back()].jump;
      todo.pop_back();
      for (const graph::BlockId to : {jump.then, jump.otherwise}) {
        if (to == graph::kNoBlock || seen[graph::index(to)]) continue;
        seen[graph::index(to)] = true;
        const graph::Action& action = blocks[graph::index(to)].action;
        if (is_split_before(action.kind) || (plan.stops[graph::index(to)] && action.own))
          return true;
        if (!plan.stops[graph::index(to)]) todo.push_back(graph::index(to));
      }
    }
    return false;
  }

  void find_safe_locks(uint32_t number) {
    for (const uint32_t lock : patterns_.locks()) {
      std::vector<Literal> anew;
      for (uint32_t other = 0; other < slots_.size(); ++other)
        if (other != number) anew.push_back(later(other, {lock, TouchKind::Resets}, nullptr));
      const Literal held = e_.fields.now(e_.fields.cells[lock].holder)[number];
      slots_[number].safe_locks.push_back(aig_.land(held, !aig_.lor(anew)));
    }
  }

  // Whether the thread may come to that, without a lock that `holder` has.
  Literal later(uint32_t number, LaterTouch touch, const Slot* holder) {
    const auto found = slots_[number].later.find(touch);
    if (found == slots_[number].later.end()) return kFalse;
    std::vector<Literal> ways;
    for (const auto& [sets, places] : found->second)
      ways.push_back(aig_.land(aig_.lor(places), can_pass(sets, holder)));
    return aig_.lor(ways);
  }
  Literal can_pass(const LockSets& sets, const Slot* holder) {
    if (holder == nullptr) return kTrue;
    std::vector<Literal> ways;
    for (const uint64_t set : sets) {
      std::vector<Literal> held;
      for (uint64_t left = set; left != 0; left &= left - 1)
        held.push_back(holder->safe_locks[static_cast<size_t>(std::countr_zero(left))]);
      ways.push_back(!aig_.lor(held));
    }
    return aig_.lor(ways);
  }

  // An enabled thread and one that may disturb it.
  Literal conflict(uint32_t number, uint32_t other) {
    const Slot& slot = slots_[number];
    std::vector<Literal> found;
    for (const auto& [resource, when] : slot.writes) {
      const Literal now = aig_.lor(when);
      found.push_back(aig_.land(now, later(other, {resource, TouchKind::Writes}, &slot)));
      found.push_back(aig_.land(now, later(other, {resource, TouchKind::Reads}, &slot)));
    }
    for (const auto& [resource, when] : slot.reads)
      found.push_back(
          aig_.land(aig_.lor(when), later(other, {resource, TouchKind::Writes}, &slot)));
    return aig_.lor({aig_.land(aig_.lor(found), !waits_for(other, slot)), aig_.lor(slot.sticky),
                     slots_[other].next.unknown});
  }
  // Its very next action is to get a lock that the holder has.
  Literal waits_for(uint32_t number, const Slot& holder) {
    std::vector<Literal> found;
    for (const StepEncoder::NextTouch& wait : slots_[number].next.waits)
      for (size_t i = 0; i < patterns_.locks().size(); ++i)
        if (patterns_.locks()[i] == wait.resource)
          found.push_back(aig_.land(wait.when, holder.safe_locks[i]));
    return aig_.lor(found);
  }

  // A blocked thread and one that may make its action possible.
  Literal enables(uint32_t number, uint32_t other) {
    const Slot& slot = slots_[number];
    std::vector<Literal> found{slot.next.unknown, slots_[other].next.unknown};
    for (const StepEncoder::NextTouch& touch : slot.next.touches)
      found.push_back(aig_.land(touch.when, may_release(touch.resource, other)));
    return aig_.lor(found);
  }
  // A mutex is given back by its holder, unless somebody may make it anew.
  Literal may_release(uint32_t resource, uint32_t other) {
    const Literal writes = later(other, {resource, TouchKind::Writes}, nullptr);
    const CompiledProgram& program = *e_.plan.program;
    if (resource >= program.cells.size() || !is_mutex(program.cells[resource].kind)) return writes;
    std::vector<Literal> anew;
    for (uint32_t any = 0; any < slots_.size(); ++any)
      anew.push_back(later(any, {resource, TouchKind::Resets}, nullptr));
    return aig_.mux(aig_.lor(anew), writes, e_.fields.now(e_.fields.cells[resource].holder)[other]);
  }

  void relate() {
    for (uint32_t i = 0; i < slots_.size(); ++i)
      for (uint32_t k = 0; k < slots_.size(); ++k) {
        if (i == k) {
          slots_[i].reach.push_back(kTrue);
          continue;
        }
        const Literal related = aig_.mux(able_[i], conflict(i, k), enables(i, k));
        slots_[i].reach.push_back(aig_.land(related, steps_[k].live()));
      }
  }
  void close() {
    for (size_t via = 0; via < slots_.size(); ++via)
      for (Slot& from : slots_)
        for (size_t to = 0; to < slots_.size(); ++to)
          from.reach[to] =
              aig_.lor(from.reach[to], aig_.land(from.reach[via], slots_[via].reach[to]));
  }

  // The set of the first of the enabled threads that have the smallest.
  std::vector<Literal> select() {
    const auto bits = static_cast<uint32_t>(std::bit_width(slots_.size() + 1));
    Word least = constant_word(slots_.size() + 1, bits);
    std::vector<Literal> best(slots_.size(), kTrue);
    for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
      Word members;
      for (uint32_t to = 0; to < slots_.size(); ++to)
        members.push_back(aig_.land(slots_[slot].reach[to], able_[to]));
      const Word count = count_ones(aig_, members, bits);
      const Literal better = aig_.land(able_[slot], less(aig_, count, least));
      least = choose(aig_, better, count, least);
      best = choose(aig_, better, members, best);
    }
    return best;
  }

  Encoding& e_;
  Aig& aig_;
  std::vector<StepEncoder>& steps_;
  const std::vector<Literal>& able_;
  GraphSpace space_;
  Footprints footprints_;
  LockPatterns patterns_;
  std::vector<Slot> slots_;
};

}  // namespace

std::vector<Literal> reduce_schedules(Encoding& encoding, std::vector<StepEncoder>& steps,
                                      const std::vector<Literal>& able, Literal quiet,
                                      ScheduleReduction reduction) {
  if (reduction == ScheduleReduction::None) return std::vector<Literal>(steps.size(), kTrue);
  return Reducer(encoding, steps, able, reduction).run(quiet);
}

}  // namespace heddle::circuit
