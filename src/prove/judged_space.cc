#include "prove/judged_space.h"

#include <fmt/format.h>

#include <utility>

#include "explicit/propositions.h"
#include "model/op_set.h"

namespace heddle::prove {
namespace {

bool is_access(Op op) {
  constexpr OpSet kSuch = OpSet::where([](const Operation& row) {
    return row.object == ObjectSort::Variable &&
           (row.accesses == Footprint::MemoryRead || row.accesses == Footprint::MemoryWrite ||
            row.accesses == Footprint::MemoryUpdate);
  });
  return kSuch.contains(op);
}
bool is_plain(Op op) {
  return op == Op::Read || op == Op::Write;
}

const char* what(const NextAction& next) {
  return next.touched().front().writes ? "writes" : "reads";
}

Address pc_of(const NextAction& next) {
  return address_of({graph::index(next.routine), graph::index(next.block), 0});
}

}  // namespace

std::string text_of(const graph::Program& program, const graph::Place& place) {
  if (place.line == 0 || place.file >= program.files.size()) return "";
  return fmt::format("{}:{}", program.files[place.file], place.line);
}

JudgedSpace::JudgedSpace(std::unique_ptr<StateSpace> inner, Judgement judgement)
    : inner_(std::move(inner)), judgement_(judgement) {}

std::unique_ptr<StateSpace> JudgedSpace::clone() const {
  return std::make_unique<JudgedSpace>(inner_->clone(), judgement_);
}

Outcome JudgedSpace::initial(uint8_t* state) {
  return judge(inner_->initial(state), state);
}

Outcome JudgedSpace::take(const uint8_t* from, Move move, uint8_t* to) {
  return judge(inner_->take(from, move, to), to);
}

Outcome JudgedSpace::judge(Outcome outcome, const uint8_t* state) {
  is_race_ = false;
  if (outcome == Outcome::Failed && contains(judgement_.ignored, inner_->failure().kind))
    return Outcome::Ended;
  if (outcome == Outcome::Running && judgement_.races && find_race(state)) return Outcome::Failed;
  return outcome;
}

bool JudgedSpace::is_deadlock(const uint8_t* state) {
  return !contains(judgement_.ignored, FindingKind::Deadlock) && inner_->is_deadlock(state);
}

bool JudgedSpace::find_race(const uint8_t* state) {
  accesses_.clear();
  threads_.clear();
  for (uint32_t thread = 0; thread < inner_->thread_slots(); ++thread) {
    if (!inner_->is_live(state, thread)) continue;
    const NextAction next = inner_->next_action(state, thread);
    if (!is_access(next.op) || next.choices == 0 || next.touch_count == 0) continue;
    for (size_t i = 0; i < accesses_.size(); ++i) {
      const NextAction& other = accesses_[i];
      const Touch &mine = next.touches[0], &theirs = other.touches[0];
      if (mine.resource != theirs.resource || !(mine.writes || theirs.writes)) continue;
      if (!is_plain(next.op) && !is_plain(other.op)) continue;
      auto at = [&](Address pc) {
        const std::string place = text_of(program(), place_of(program(), pc));
        return place.empty() ? "" : " at " + place;
      };
      race_ = {};
      race_.kind = FindingKind::DataRace;
      race_.thread = ThreadId{thread};
      race_.pc = pc_of(next);
      race_.other = pc_of(other);
      race_.message = fmt::format("thread {} {} {}{} while thread {} {} it{}", thread, what(next),
                                  explicit_states::name_of_cell(*inner_, mine.resource),
                                  at(race_.pc), threads_[i], what(other), at(race_.other));
      return is_race_ = true;
    }
    accesses_.push_back(next);
    threads_.push_back(thread);
  }
  return false;
}

}  // namespace heddle::prove
