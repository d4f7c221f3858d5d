#include "circuit/encode.h"

#include <algorithm>
#include <bit>
#include <set>

#include "circuit/sweep.h"
#include "interpreter/machine.h"

namespace heddle::circuit {
namespace {

using graph::ActionKind;
using graph::CellKind;

// What is not encoded, if the program has it.
std::string refusal_of(const graph::Program& program) {
  for (const graph::Routine& routine : program.routines)
    for (const graph::Block& block : routine.blocks) {
      if (block.action.kind != ActionKind::MutexInit) continue;
      const graph::Expr& kind = routine.exprs[graph::index(block.action.value)];
      const bool known = kind.op == graph::Operator::Constant &&
                         kind.constant >= static_cast<uint64_t>(CellKind::Mutex) &&
                         kind.constant <= static_cast<uint64_t>(CellKind::SpinLock);
      if (!known) return "a mutex of a kind that is computed is not encoded as a circuit";
    }
  return "";
}

// Bits for the alternatives of actions that have several.
uint32_t choice_bits(const graph::Program& program, uint32_t slots) {
  uint32_t bits = 0;
  for (const graph::Routine& routine : program.routines)
    for (const graph::Block& block : routine.blocks) {
      if (block.action.kind == ActionKind::CondSignal)
        bits = std::max(bits, static_cast<uint32_t>(std::bit_width(slots)));
      if (block.action.kind != ActionKind::Choose) continue;
      const graph::Expr& count = routine.exprs[graph::index(block.action.value)];
      const auto needed = count.op == graph::Operator::Constant
                              ? static_cast<uint32_t>(std::bit_width(count.constant))
                              : uint32_t{count.bits};
      bits = std::max(bits, std::min(needed, 32U));
    }
  return bits;
}

struct Beginning {
  std::vector<uint8_t> state;
  bool before_main = false;
};

// Where main stands first, if that is the same in all executions; else before it begins.
Beginning beginning_of(const ThreadPlan& plan) {
  const CompiledProgram& p = *plan.program;
  Beginning result{std::vector<uint8_t>(p.state_size)};
  Machine machine(plan.program, plan.slots);
  const bool runs = machine.start(result.state.data()) == Outcome::Running;
  const uint32_t location = machine.location_number(result.state.data(), 0);
  const bool stops = std::ranges::any_of(plan.of_slot[0].stops, [&](const Stop& stop) {
    return stop.kind != StopKind::Resume && stop.location == location;
  });
  if (runs && stops) return result;
  result.before_main = true;
  result.state = p.initial;
  store_bytes(result.state.data() + p.slot_offset[0], p.location_bytes, p.routines[0].starting);
  return result;
}

class Encoder {
 public:
  Encoder(std::shared_ptr<const ThreadPlan> plan, const EncodeOptions& options,
          const Beginning& beginning)
      : plan_(std::move(plan)),
        options_(options),
        e_(*plan_, beginning.state.data()),
        aig_(e_.system.aig) {
    out_.plan = plan_;
    out_.starts_before_main = beginning.before_main;
  }

  Encoded run() {
    const CompiledProgram& p = *plan_->program;
    for (uint32_t slot = 0; slot < p.slots; ++slot)
      e_.execute.push_back(aig_.add_input("execute" + std::to_string(slot)));
    e_.choice = input_word(aig_, "choice", choice_bits(p.source, p.slots));
    for (uint32_t slot = 0; slot < p.slots; ++slot) steps_.emplace_back(e_, slot);
    e_.ends_run.resize(p.slots);
    for (StepEncoder& step : steps_) step.encode();
    schedule();
    connect();
    ask();
    return finish();
  }

 private:
  const Word& now(FieldId id) const { return e_.fields.now(id); }

  // Exactly one of those who can: whom nobody keeps out, and of those in the middle of a step
  // first.
  void schedule() {
    const Literal halted = now(e_.fields.halted)[0];
    const Word& running = now(e_.fields.running);
    std::vector<Literal> enabled;
    for (uint32_t slot = 0; slot < steps_.size(); ++slot) {
      able_.push_back(aig_.land(!halted, steps_[slot].able()));
      std::vector<Literal> kept_out;
      for (uint32_t other = 0; other < steps_.size(); ++other) {
        if (other == slot) continue;
        kept_out.push_back(running[other]);
        if (e_.fields.exclusive != kNoField) kept_out.push_back(now(e_.fields.exclusive)[other]);
      }
      enabled.push_back(aig_.land(able_.back(), !aig_.lor(kept_out)));
    }
    std::vector<Literal> quiet{!any(aig_, running)};
    if (e_.fields.exclusive != kNoField) quiet.push_back(!any(aig_, now(e_.fields.exclusive)));
    const std::vector<Literal> selected =
        reduce_schedules(e_, steps_, able_, aig_.land(quiet), options_.reduction);
    std::vector<Literal>& constraints = e_.system.constraints;
    for (uint32_t slot = 0; slot < enabled.size(); ++slot)
      constraints.push_back(aig_.implies(e_.execute[slot], selected[slot]));
    for (uint32_t slot = 0; slot < enabled.size(); ++slot) {
      constraints.push_back(aig_.implies(e_.execute[slot], enabled[slot]));
      for (uint32_t other = 0; other < slot; ++other)
        constraints.push_back(!aig_.land(e_.execute[slot], e_.execute[other]));
    }
    constraints.push_back(aig_.lor(aig_.lor(e_.execute), !aig_.lor(enabled)));
    for (const Literal allowed : e_.allowed) constraints.push_back(allowed);
    out_.dismissed = aig_.lor(e_.dismissed);
    constraints.push_back(!out_.dismissed);
    count_rounds();
  }

  // Loops without a step, and atomic sections, must not keep the others out for ever unseen.
  void count_rounds() {
    bool endless = plan_->program->has.sections;
    for (const RoutinePlan& routine : plan_->of_routine)
      endless = endless || std::ranges::count(routine.resumes, true) > 0;
    if (!endless) return;
    const Word rounds = latch_word(aig_, "rounds", options_.round_bits, 0);
    const Literal runs = aig_.land(any(aig_, now(e_.fields.running)), !now(e_.fields.halted)[0]);
    const Word next = masked(aig_, runs, plus_one(aig_, rounds));
    for (size_t i = 0; i < rounds.size(); ++i) aig_.set_next(rounds[i], next[i]);
    e_.beyond.push_back(aig_.land(aig_.land(rounds), runs));
  }

  // The next values: those of the end of a step that changes them, else what they are.
  void connect() {
    std::vector<std::vector<Alternative>> changes(e_.fields.words.size());
    for (const Path& end : e_.ends)
      for (const auto& [id, value] : end.after) changes[id].push_back({end.guard, &value});
    for (FieldId id = 0; id < changes.size(); ++id) {
      if (changes[id].empty() || id == e_.fields.halted) continue;
      std::vector<Literal> guards;
      for (const Alternative& change : changes[id]) guards.push_back(change.condition);
      const Word held = now(id);
      changes[id].push_back({!aig_.lor(guards), &held});
      const Word next = one_of(aig_, changes[id]);
      for (size_t bit = 0; bit < next.size(); ++bit) aig_.set_next(held[bit], next[bit]);
    }
    std::vector<Literal> over = e_.ended;
    over.insert(over.end(), e_.beyond.begin(), e_.beyond.end());
    for (const auto& [kind, guards] : e_.failures)
      over.insert(over.end(), guards.begin(), guards.end());
    const Literal halted = now(e_.fields.halted)[0];
    aig_.set_next(halted, aig_.lor(halted, aig_.lor(over)));
    out_.ended = aig_.lor(e_.ended);
  }

  void ask() {
    const Literal halted = now(e_.fields.halted)[0];
    std::vector<Literal> live;
    for (const StepEncoder& step : steps_) live.push_back(step.live());
    e_.failures[FindingKind::Deadlock].push_back(
        aig_.land({!halted, aig_.lor(live), !aig_.lor(able_)}));
    if (options_.races)
      if (const Literal race = find_race(); race != kFalse)
        e_.failures[FindingKind::DataRace].push_back(race);
    for (const auto& [kind, guards] : e_.failures) {
      e_.system.properties.push_back({std::string(name(kind)), aig_.lor(guards)});
      out_.asks.emplace_back(kind);
    }
    if (e_.beyond.empty()) return;
    e_.system.properties.push_back({"beyond-bounds", aig_.lor(e_.beyond)});
    out_.asks.emplace_back(std::nullopt);
  }

  // Two threads are about to access the same cell, one of them writing, one of them not atomically.
  Literal find_race() {
    std::vector<Literal> races;
    std::vector<std::vector<StepEncoder::Access>> accesses;  // by slot and cell
    for (StepEncoder& step : steps_) accesses.push_back(step.about_to_access());
    for (uint32_t cell = 0; cell < plan_->program->cells.size(); ++cell) {
      for (size_t i = 0; i < accesses.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
          const StepEncoder::Access &a = accesses[i][cell], &b = accesses[k][cell];
          races.push_back(
              aig_.land({a.any, b.any, aig_.lor(a.writes, b.writes), aig_.lor(a.plain, b.plain)}));
        }
    }
    std::vector<Literal> quiet{!now(e_.fields.halted)[0], !any(aig_, now(e_.fields.running))};
    if (e_.fields.exclusive != kNoField) quiet.push_back(!any(aig_, now(e_.fields.exclusive)));
    return aig_.land(aig_.lor(races), aig_.land(quiet));
  }

  Encoded finish() {
    out_.fields = e_.fields;
    out_.execute = e_.execute;
    out_.able = able_;
    out_.choice = e_.choice;
    out_.inputs = e_.inputs;
    out_.inputs_taken = e_.inputs_taken;
    if (!options_.sweep) {
      out_.system = std::move(e_.system);
      return std::move(out_);
    }
    std::vector<Literal> kept{out_.ended};
    for (const InputTaken& taken : out_.inputs_taken) kept.push_back(taken.guard);
    // Runs are read back from all of the state, whether a property needs it or not.
    for (const Word& word : out_.fields.words) kept.insert(kept.end(), word.begin(), word.end());
    kept.insert(kept.end(), out_.able.begin(), out_.able.end());
    Swept swept = sweep(e_.system, kept);
    const auto rename = [&](Literal& literal) { literal = swept.now(literal); };
    for (Word& word : out_.fields.words) std::ranges::for_each(word, rename);
    for (InputStatement& input : out_.inputs) std::ranges::for_each(input.word, rename);
    for (InputTaken& taken : out_.inputs_taken) rename(taken.guard);
    for (std::vector<Literal>* list : {&out_.execute, &out_.able, &out_.choice})
      std::ranges::for_each(*list, rename);
    rename(out_.ended);
    rename(out_.dismissed);
    out_.system = std::move(swept.system);
    return std::move(out_);
  }

  std::shared_ptr<const ThreadPlan> plan_;
  EncodeOptions options_;
  Encoding e_;
  Aig& aig_;
  Encoded out_;
  std::vector<StepEncoder> steps_;
  std::vector<Literal> able_;
};

}  // namespace

std::variant<Encoded, Refusal> encode(const graph::Program& program, const EncodeOptions& options) {
  if (std::string refusal = refusal_of(program); !refusal.empty()) return Refusal{refusal};
  auto plan = std::make_shared<ThreadPlan>(plan_threads(compile(program)));
  const Beginning beginning = beginning_of(*plan);
  return Encoder(plan, options, beginning).run();
}

}  // namespace heddle::circuit
