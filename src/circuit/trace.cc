#include "circuit/trace.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "interpreter/sync_cells.h"

namespace heddle::circuit {
namespace {

using graph::CellKind;

class StateWriter {
 public:
  StateWriter(const Encoded& encoded, const Simulation& simulation)
      : f_(encoded.fields),
        plan_(*encoded.plan),
        p_(*plan_.program),
        simulation_(simulation),
        state_(p_.state_size) {}

  std::optional<std::vector<uint8_t>> run() {
    if (p_.has.sections) state_[p_.exclusive] = holder(f_.exclusive);
    for (uint32_t slot = 0; slot < p_.slots; ++slot)
      if (!write_slot(slot)) return std::nullopt;
    for (uint32_t o = 0; o < p_.objects.size(); ++o)
      if (p_.objects[o].life != 0)
        state_[p_.objects[o].life] = value(f_.objects[o].there) != 0  ? 1
                                     : value(f_.objects[o].gone) != 0 ? 2
                                                                      : 0;
    for (uint32_t cell = 0; cell < p_.cells.size(); ++cell) write_cell(cell);
    return std::move(state_);
  }

 private:
  uint64_t value(FieldId id) const {
    uint64_t result = 0;
    if (id == kNoField) return 0;
    const Word& word = f_.now(id);
    for (size_t i = 0; i < word.size(); ++i) result |= uint64_t{simulation_.value(word[i])} << i;
    return result;
  }
  uint8_t holder(FieldId id) const { return static_cast<uint8_t>(std::bit_width(value(id))); }

  bool write_slot(uint32_t slot) {
    const SlotFields& fields = f_.slots[slot];
    const Stop& stop = plan_.of_slot[slot].stops[value(fields.code)];
    if (stop.kind == StopKind::Resume) return false;
    uint8_t* to = state_.data() + p_.slot_offset[slot];
    store_bytes(to, p_.location_bytes, stop.location);
    if (p_.has.detach) to[p_.flags] = static_cast<uint8_t>(value(fields.detached));
    if (p_.has.sections) to[p_.sections] = static_cast<uint8_t>(value(fields.sections));
    if (p_.has.mutex_kinds) to[p_.depth] = static_cast<uint8_t>(value(fields.depth));
    if (fields.children != kNoField) to[p_.children] = static_cast<uint8_t>(value(fields.children));
    uint8_t* frame = state_.data() + p_.slot_frame[slot];
    const bool has_result = stop.kind == StopKind::Exiting || stop.kind == StopKind::Ended;
    if (p_.has.results && has_result) store_bytes(frame, 8, value(fields.result));
    const Location& at = p_.locations[stop.location];
    for (uint32_t i = 0; i < at.field_count; ++i) {
      const Field& field = p_.fields[at.first_field + i];
      store_bytes(frame + field.offset, field.bytes,
                  value(fields.registers[at.routine][field.value]));
    }
    return true;
  }

  uint8_t mark(const CellFields& fields, uint8_t otherwise) const {
    if (value(fields.no_lock) != 0) return kUninitialised;
    return value(fields.destroyed) != 0 ? kDestroyed : otherwise;
  }

  void write_cell(uint32_t number) {
    const CompiledCell& cell = p_.cells[number];
    const CellFields& fields = f_.cells[number];
    if (cell.constant) return;
    uint8_t* to = state_.data() + cell.offset;
    switch (cell.kind) {
      case CellKind::Integer:
        store_bytes(to, cell.bytes, value(fields.value));
        if (value(fields.written) != 0) state_[cell.written_offset] |= cell.written_mask;
        return;
      case CellKind::Mutex:
      case CellKind::RecursiveMutex:
      case CellKind::ErrorCheckMutex:
      case CellKind::SpinLock:
        *to = mark(fields, holder(fields.holder));
        if (fields.depth == kNoField) return;
        to[kMutexDepth] = static_cast<uint8_t>(value(fields.depth));
        to[kMutexKind] = static_cast<uint8_t>(value(fields.kind));
        return;
      case CellKind::Condition:
        store_bytes(to, p_.mask_bytes, value(fields.waiters));
        if (p_.has.cond_status) to[cell.bytes - 1] = mark(fields, 0);
        return;
      case CellKind::RwLock:
        *to = mark(fields, holder(fields.holder));
        for (uint32_t slot = 0; slot < p_.slots; ++slot)
          to[kReadHolds + slot] = static_cast<uint8_t>(value(fields.reads[slot]));
        return;
      case CellKind::Semaphore:
        store_bytes(to, 2, value(fields.no_lock) != 0 ? kNoSemaphore : value(fields.count));
        return;
      case CellKind::Barrier:
        *to = static_cast<uint8_t>(value(fields.count));
        store_bytes(to + 1, p_.mask_bytes, value(fields.waiters));
        return;
      case CellKind::Once: {
        const uint64_t once = value(fields.value);
        *to = once == kOnceUninitialised ? kUninitialised : static_cast<uint8_t>(once);
        return;
      }
    }
  }

  const Fields& f_;
  const ThreadPlan& plan_;
  const CompiledProgram& p_;
  const Simulation& simulation_;
  std::vector<uint8_t> state_;
};

// Values in the order in which they are taken; notes those that were.
class Inputs final : public InputSource {
 public:
  uint64_t next(uint32_t, Address) override {
    if (left.empty()) {
      missing = true;
      return 0;
    }
    taken.push_back(left.front());
    left.pop_front();
    return taken.back();
  }
  std::deque<uint64_t> left;
  std::vector<uint64_t> taken;
  bool missing = false;
};

class Retracer {
 public:
  Retracer(const Encoded& encoded, const Run& run, size_t steps)
      : encoded_(encoded),
        run_(run),
        steps_(steps),
        simulation_(encoded.system),
        space_(space_of(encoded)),
        state_(space_.state_size()) {
    space_.machine().set_inputs(&inputs_);
    simulation_.reset(run.reset);
  }

  std::variant<Execution, std::string> follow() {
    if (steps_ > 0) simulation_.set_inputs(run_.steps[0]);
    foresee_inputs();
    result_.outcome = space_.initial(state_.data());
    result_.first_inputs = std::move(inputs_.taken);
    if (!encoded_.starts_before_main) inputs_.left.clear();
    if (std::string wrong = catch_up(); !wrong.empty()) return wrong;
    while (result_.outcome == Outcome::Running && at_ < steps_ && stepping() >= 0)
      if (std::string wrong = one_step(); !wrong.empty()) return wrong;
    if (result_.outcome == Outcome::Failed) result_.failure = space_.failure();
    if (result_.outcome == Outcome::Cut) result_.bound = space_.bound();
    if (result_.outcome == Outcome::Running && space_.is_deadlock(state_.data()))
      result_.failure = space_.deadlock(state_.data());
    return std::move(result_);
  }

 private:
  // The thread that steps now; -1: none.
  int32_t stepping() const {
    for (uint32_t slot = 0; slot < encoded_.execute.size(); ++slot)
      if (simulation_.value(encoded_.execute[slot])) return static_cast<int32_t>(slot);
    return -1;
  }
  uint64_t value(const Word& word) const {
    uint64_t result = 0;
    for (size_t i = 0; i < word.size(); ++i) result |= uint64_t{simulation_.value(word[i])} << i;
    return result;
  }
  void advance() {
    simulation_.step();
    if (++at_ < steps_) simulation_.set_inputs(run_.steps[at_]);
  }

  // What the thread that steps now takes before another one does: a step of the interpreter may be
  // several of the circuit.
  void foresee_inputs() {
    inputs_ = {};
    if (at_ >= steps_) return;
    const int32_t slot = stepping();
    const std::vector<bool> before = simulation_.values();
    const size_t begin = at_;
    for (; at_ < steps_ && stepping() == slot; advance())
      for (const InputTaken& taken : encoded_.inputs_taken)
        if (static_cast<int32_t>(taken.slot) == slot && simulation_.value(taken.guard))
          inputs_.left.push_back(value(encoded_.inputs[taken.statement].word));
    simulation_.restore(before);
    at_ = begin;
  }

  std::string one_step() {
    const auto slot = static_cast<uint32_t>(stepping());
    foresee_inputs();
    const uint32_t choices = space_.machine().choices(state_.data(), slot);
    if (choices == 0) return "the circuit lets thread " + std::to_string(slot) + " step" + where();
    const auto choice = choices == 1 ? 0 : static_cast<uint32_t>(value(encoded_.choice));
    if (choice >= choices) return "the circuit takes an alternative that there is not" + where();
    const Move move{slot, choice};
    result_.outcome = space_.take(state_.data(), move, state_.data());
    result_.moves.push_back({move, std::move(inputs_.taken)});
    if (inputs_.missing) return "the circuit takes fewer inputs" + where();
    advance();
    return catch_up();
  }

  // The circuit comes to the state of the interpreter, or to its end.
  std::string catch_up() {
    if (result_.outcome != Outcome::Running) return "";
    for (;; advance()) {
      const auto now = state_of(encoded_, simulation_);
      if (now && *now == state_) return "";
      if (at_ >= steps_) return "the circuit is in another state than the interpreter" + where();
    }
  }
  std::string where() const { return " (after step " + std::to_string(at_) + ")"; }

  const Encoded& encoded_;
  const Run& run_;
  size_t steps_;
  Simulation simulation_;
  GraphSpace space_;
  std::vector<uint8_t> state_;
  Inputs inputs_;
  Execution result_;
  size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<uint8_t>> state_of(const Encoded& encoded, const Simulation& simulation) {
  return StateWriter(encoded, simulation).run();
}

GraphSpace space_of(const Encoded& encoded) {
  return GraphSpace(encoded.plan->program, encoded.plan->slots);
}

std::variant<Execution, std::string> retrace(const Encoded& encoded, const Run& run,
                                             std::optional<FindingKind> shows) {
  // A race shows before the last step is taken.
  const size_t last = shows == FindingKind::DataRace && !run.steps.empty() ? 1 : 0;
  return Retracer(encoded, run, run.steps.size() - last).follow();
}

}  // namespace heddle::circuit
