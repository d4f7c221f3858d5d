// Linear-time properties over stored states.
//
// An execution is a sequence of states; where it ends, or is stuck, its last state repeats for
// ever. The opposite of the formula as a Büchi automaton (temporal/automaton.h) reads the states
// along. A formula is broken if and only if states and automaton together can go round a loop in
// which every acceptance set is met (Vardi and Wolper, LICS 1986), which temporal/fair_loop.h looks
// for depth-first while the states are made.
//
// Weak fairness is one more mark for each thread: an edge has it if the thread takes the step or
// cannot take one. A loop without the mark of some thread leaves that thread waiting for ever
// though it could go on, and is no execution of a fair scheduler.
//
// Every transition can matter to a formula, so nothing is reduced here: stubborn sets keep a
// formula only if it has no X and if they leave no step out that changes a proposition.
#include "explicit/lasso_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/check.h"
#include "explicit/propositions.h"
#include "temporal/automaton.h"
#include "temporal/fair_loop.h"
#include "temporal/parse.h"

namespace heddle::explicit_states {
namespace {

using temporal::Automaton;
using temporal::Edge;

constexpr uint32_t kMostMarks = 64;

// A move as the label of an edge; none where the last state repeats.
constexpr uint32_t kRepeats = 0xffffffff;
uint32_t label_of(Move move) {
  return move.thread << 24 | move.choice;
}
Move move_of(uint32_t label) {
  return {label >> 24, label & 0xffffff};
}

// States and automaton together. A place is a stored state, or the end of an execution, of which
// only its letter counts; a node is a place and a state of the automaton that fits it.
class Product {
 public:
  Product(StateSpace& space, const Automaton& automaton, const Propositions& propositions,
          StateStore& store, Ledger& ledger)
      : space_(space),
        automaton_(automaton),
        propositions_(propositions),
        fairness_(ledger.options().temporal->fairness),
        ledger_(ledger),
        store_(store),
        current_(space.state_size()),
        next_(space.state_size()) {
    const std::optional<Target> first = target(space.initial(next_.data()), kRepeats);
    if (first) add_nodes(*first, automaton.initial, initial_);
  }

  const std::vector<uint32_t>& initial() { return initial_; }
  bool stopped() { return ledger_.ended(); }
  size_t bytes() const { return store_.bytes() + nodes_.size() * kBytesOfNode; }
  uint64_t all_marks() const {
    const uint32_t count = automaton_.acceptance_sets + fair_threads();
    return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  }

  void edges(uint32_t node, std::vector<Edge>& into) {
    const Node from = nodes_[node];
    const temporal::AutomatonState& state = automaton_.states[from.automaton];
    if (from.place.ended) {
      const uint64_t marks = state.acceptance | fairness_marks({}, kRepeats);
      append(Target{from.place, kRepeats}, state, marks, into);
      return;
    }
    store_.restore(StateKey{from.place.number}, current_.data());
    space_.moves(current_.data(), moves_);
    if (moves_.empty()) {
      append(Target{from.place, kRepeats}, state, state.acceptance | fairness_marks({}, kRepeats),
             into);
      return;
    }
    const std::vector<Move> moves = moves_;
    for (const Move move : moves) {
      const std::optional<Target> to =
          target(space_.take(current_.data(), move, next_.data()), label_of(move));
      ++ledger_.result().transitions;
      if (to) append(*to, state, state.acceptance | fairness_marks(moves, label_of(move)), into);
    }
  }

 private:
  struct Place {
    bool ended = false;
    uint64_t number = 0;  // of a state, or the letter of an end
  };
  struct Node {
    Place place;
    uint32_t automaton = 0;
  };
  struct Target {
    Place place;
    uint32_t label = kRepeats;
  };

  // A guess of what the map below and a search keep for each.
  static constexpr size_t kBytesOfNode = 120;

  uint32_t fair_threads() const { return fairness_ == Fairness::Weak ? space_.thread_slots() : 0; }

  // Nothing where the execution is of no interest or not followed.
  std::optional<Target> target(Outcome outcome, uint32_t label) {
    switch (outcome) {
      case Outcome::Running: {
        const Arrival arrival = store_.insert(next_.data());
        const auto number = static_cast<uint64_t>(arrival.key);
        if (arrival.is_new) {
          letters_.push_back(propositions_.letter(space_, next_.data(), false));
          ledger_.check_limits(store_.size(), [&] { return bytes(); });
        }
        return Target{{false, number}, label};
      }
      case Outcome::Ended:
      case Outcome::Failed:
        ++ledger_.result().ended;
        return Target{{true, propositions_.letter(space_, next_.data(), true)}, label};
      case Outcome::Dismissed:
        ++ledger_.result().dismissed;
        return std::nullopt;
      case Outcome::Cut:
        ledger_.add_bound(space_.bound());
        return std::nullopt;
    }
    return std::nullopt;
  }

  uint64_t fairness_marks(const std::vector<Move>& enabled, uint32_t label) const {
    uint64_t marks = 0;
    for (uint32_t thread = 0; thread < fair_threads(); ++thread) {
      const bool waits =
          std::ranges::any_of(enabled, [&](const Move& move) { return move.thread == thread; });
      const bool moves = label != kRepeats && move_of(label).thread == thread;
      if (!waits || moves) marks |= uint64_t{1} << (automaton_.acceptance_sets + thread);
    }
    return marks;
  }

  uint64_t letter_of(const Place& place) const {
    return place.ended ? place.number : letters_[place.number];
  }

  void add_nodes(const Target& target, const std::vector<uint32_t>& automaton_states,
                 std::vector<uint32_t>& into) {
    for (uint32_t state : automaton_states)
      if (automaton_.states[state].fits(letter_of(target.place)))
        into.push_back(node_of({target.place, state}));
  }

  void append(const Target& target, const temporal::AutomatonState& from, uint64_t marks,
              std::vector<Edge>& into) {
    std::vector<uint32_t> nodes;
    add_nodes(target, from.successors, nodes);
    for (uint32_t node : nodes) into.push_back({node, marks, target.label});
  }

  uint32_t node_of(const Node& node) {
    const auto [found, is_new] =
        numbers_.try_emplace({node.place.ended, node.place.number, node.automaton},
                             static_cast<uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return found->second;
  }

  StateSpace& space_;
  const Automaton& automaton_;
  const Propositions& propositions_;
  Fairness fairness_;
  Ledger& ledger_;
  StateStore& store_;
  std::vector<uint64_t> letters_;  // by state
  std::vector<Node> nodes_;
  std::map<std::tuple<bool, uint64_t, uint32_t>, uint32_t> numbers_;  // of nodes
  std::vector<uint32_t> initial_;
  std::vector<uint8_t> current_, next_;
  std::vector<Move> moves_;
};

void tell(const temporal::FairLoop& loop, Ledger& ledger) {
  Failure failure;
  failure.kind = FindingKind::Temporal;
  failure.message = fmt::format("{} does not hold", ledger.options().temporal->formula);
  CheckFinding finding{failure, {}, 0};
  for (const Edge& edge : loop.prefix)
    if (edge.label != kRepeats) finding.path.push_back(move_of(edge.label));
  finding.loop = finding.path.size();
  for (const Edge& edge : loop.loop)
    if (edge.label != kRepeats) finding.path.push_back(move_of(edge.label));
  ledger.add(std::move(finding));
}

}  // namespace

std::string complaint_about(const StateSpace& space, const TemporalOptions& temporal) {
  temporal::Formulas formulas;
  temporal::FormulaId formula{};
  if (const auto error = temporal::parse(temporal.formula, formulas, formula))
    return fmt::format("--ltl, column {}: {}", error->column, error->message);
  std::string complaint;
  const Propositions propositions(space, formulas.atoms(), complaint);
  if (!complaint.empty()) return fmt::format("--ltl: {}", complaint);
  const uint32_t threads = temporal.fairness == Fairness::Weak ? space.thread_slots() : 0;
  const temporal::FormulaId negation = formulas.normal_form(formula, true);
  if (formulas.atoms().size() > temporal::kMostAtoms ||
      temporal::count_untils(formulas, negation) + threads > kMostMarks)
    return "--ltl: the formula is too large; at most 64 propositions, and 64 untils and threads";
  return "";
}

void search_lasso(StateSpace& space, StateStore& store, Ledger& ledger) {
  temporal::Formulas formulas;
  temporal::FormulaId formula{};
  std::string complaint;
  const bool wrong =
      temporal::parse(ledger.options().temporal->formula, formulas, formula).has_value();
  const Propositions propositions(space, formulas.atoms(), complaint);
  HEDDLE_CHECK(!wrong && complaint.empty());
  const Automaton automaton = temporal::automaton_of(formulas, formulas.normal_form(formula, true));
  Product product(space, automaton, propositions, store, ledger);
  const temporal::FairLoop loop = temporal::find_fair_loop(product, product.all_marks());
  if (loop.found) tell(loop, ledger);
  ledger.result().states = store.size();
  ledger.result().bytes = product.bytes();
}

}  // namespace heddle::explicit_states
