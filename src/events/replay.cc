#include "events/replay.h"

#include <fmt/format.h>

#include <bit>
#include <deque>
#include <vector>

#include "interpreter/graph_space.h"

namespace heddle::events {
namespace {

using graph::ActionKind;

class Replay final : public InputSource {
 public:
  Replay(const EventProgram& program, const symbolic::GateSolver& solver)
      : p_(program),
        solver_(solver),
        space_(program.plan.program, program.plan.slots),
        inputs_(program.slots),
        state_(space_.state_size()) {
    for (uint32_t slot = 0; slot < p_.slots; ++slot)
      for (const TakenInput& input : p_.inputs[slot])
        if (solver_.value(input.when)) inputs_[slot].push_back(value(input.word));
    for (const TakenInput& choice : p_.main_choices)
      if (solver_.value(choice.when)) choices_.push_back(value(choice.word));
    space_.machine().set_inputs(this);
  }

  std::variant<circuit::Execution, std::string> run(std::span<const uint32_t> order,
                                                    FindingKind kind) {
    result_.outcome = space_.initial(state_.data());
    result_.first_inputs = std::move(taken_);
    std::string wrong;
    choose_alone(wrong);
    for (const uint32_t event : order)
      if (wrong.empty() && result_.outcome == Outcome::Running) wrong = take(p_.events[event]);
    if (!wrong.empty()) return wrong;
    return judged(kind);
  }

  uint64_t next(uint32_t bits, Address /*pc*/) override {
    std::deque<uint64_t>& left = inputs_[running_];
    const uint64_t given = left.empty() ? 0 : left.front() & graph::mask_of(bits);
    if (!left.empty()) left.pop_front();
    taken_.push_back(given);
    return given;
  }

 private:
  uint64_t value(const Word& word) const {
    uint64_t result = 0;
    for (size_t i = 0; i < word.size(); ++i) result |= uint64_t{solver_.value(word[i])} << i;
    return result;
  }

  Phase phase(uint32_t slot) { return space_.machine().location(state_.data(), slot).phase; }

  // Nobody is left beside main, which then takes few steps.
  bool main_is_alone() {
    for (uint32_t slot = 1; slot < space_.thread_slots(); ++slot)
      if (phase(slot) != Phase::Unborn && phase(slot) != Phase::Joined) return false;
    return true;
  }

  // What main chooses before it creates a thread are steps of their own.
  void choose_alone(std::string& wrong) {
    while (wrong.empty() && result_.outcome == Outcome::Running && !choices_.empty()) {
      const auto choice = static_cast<uint32_t>(choices_.front());
      choices_.pop_front();
      wrong = step(0, choice);
    }
  }

  std::string take(const Event& event) {
    if (event.silent || event.kind == EventKind::Final) return "";
    const bool always = event.action == ActionKind::Create || event.action == ActionKind::Join ||
                        event.action == ActionKind::Choose;
    if (event.slot == 0 && !always && main_is_alone()) return "";
    if (event.kind != EventKind::Exit) return step(event.slot, choice_of(event));
    std::string wrong;
    while (wrong.empty() && result_.outcome == Outcome::Running) wrong = step(event.slot, 0);
    return wrong;
  }

  uint32_t choice_of(const Event& event) const {
    if (event.action == ActionKind::Choose) return static_cast<uint32_t>(value(event.choice));
    for (const Signal& signal : event.signals) {
      const uint64_t woken = value(signal.woken);
      if (!solver_.value(signal.when) || woken == 0) continue;
      return static_cast<uint32_t>(std::popcount(value(signal.waiting) & (woken - 1)));
    }
    return 0;
  }

  std::string step(uint32_t slot, uint32_t choice) {
    running_ = slot;
    if (space_.machine().choices(state_.data(), slot) <= choice)
      return fmt::format("thread {} cannot take its step {}", slot, result_.moves.size() + 1);
    const Move move{slot, choice};
    taken_.clear();
    result_.outcome = space_.take(state_.data(), move, state_.data());
    result_.moves.push_back({move, taken_});
    return "";
  }

  std::variant<circuit::Execution, std::string> judged(FindingKind kind) {
    switch (result_.outcome) {
      case Outcome::Failed:
        result_.failure = space_.failure();
        return std::move(result_);
      case Outcome::Running:
        if (kind == FindingKind::DataRace) return std::move(result_);
        if (kind != FindingKind::Deadlock || !space_.is_deadlock(state_.data()))
          return "the steps of the events do not fail";
        result_.failure = space_.deadlock(state_.data());
        result_.outcome = Outcome::Failed;
        return std::move(result_);
      case Outcome::Cut:
        return fmt::format("the steps of the events go beyond a bound: {}", space_.bound());
      default:
        return "the steps of the events end without a failure";
    }
  }

  const EventProgram& p_;
  const symbolic::GateSolver& solver_;
  GraphSpace space_;
  std::vector<std::deque<uint64_t>> inputs_;  // by slot
  std::deque<uint64_t> choices_;              // of main, while it is alone
  std::vector<uint8_t> state_;
  std::vector<uint64_t> taken_;
  uint32_t running_ = 0;
  circuit::Execution result_;
};

}  // namespace

std::variant<circuit::Execution, std::string> replay(const EventProgram& program,
                                                     std::span<const uint32_t> order,
                                                     const symbolic::GateSolver& solver,
                                                     FindingKind kind) {
  return Replay(program, solver).run(order, kind);
}

}  // namespace heddle::events
