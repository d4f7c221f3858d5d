// All reachable states, breadth first, as binary decision diagrams (Burch, Clarke, McMillan, Dill,
// Hwang, "Symbolic model checking: 10^20 states and beyond", 1990), with BuDDy.
//
// The transition relation is a conjunction: one part for each latch. It is never multiplied out.
// Parts are joined only up to a size, and an image takes one after the other, each time quantifying
// the variables that no later part mentions (Burch, Clarke, Long, "Symbolic model checking with
// partitioned transition relations", 1991).
//
// Variables are ordered as a search through the circuit from bad meets them; a latch's next value
// lies beside its present one, and sifting (Rudell 1993) moves both together.
//
// The states first met at each depth are kept: a run is found by going back from bad through them.
// BuDDy's tables are global and its operations cannot be interrupted: all this happens in a process
// of its own, which limits of time and memory end.
#include <bdd.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "symbolic/cone.h"
#include "symbolic/diagrams.h"
#include "symbolic/process.h"

namespace heddle::symbolic {
namespace {

using circuit::Aig;
using circuit::Literal;
using circuit::NodeKind;

constexpr int kFirstNodes = 100'000;
constexpr int kCacheRatio = 8;          // one entry of the caches for so many nodes
constexpr uint64_t kBytesPerNode = 32;  // with its share of the caches

// The order of variables: inputs and latches as a search from bad meets them.
class Order {
 public:
  Order(const circuit::System& system, uint32_t property)
      : aig_(system.aig), seen_(aig_.node_count()) {
    visit(system.properties[property].bad);
    for (Literal constraint : system.constraints) visit(constraint);
    for (size_t i = 0; i < leaves.size(); ++i)
      if (aig_.kind(leaves[i]) == NodeKind::Latch) visit(aig_.next(aig_.number_of(leaves[i])));
  }
  std::vector<uint32_t> leaves;  // nodes

 private:
  void visit(Literal root) {
    std::vector<uint32_t> open{root.node()};
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      if (seen_[node]) continue;
      seen_[node] = true;
      if (aig_.kind(node) == NodeKind::And) {
        open.push_back(aig_.right(node).node());
        open.push_back(aig_.left(node).node());
      } else if (aig_.kind(node) != NodeKind::Constant) {
        leaves.push_back(node);
      }
    }
  }

  const Aig& aig_;
  std::vector<bool> seen_;
};

class Reachability {
 public:
  Reachability(const circuit::System& system, uint32_t property, const Limits& limits,
               DiagramOptions options)
      : system_(system),
        limits_(limits),
        property_(property),
        options_(options),
        cone_(cone_of(system, property)) {}

  Answer run() {
    start_package();
    build_functions();
    build_relation();
    bdd reached = initial(), frontier = reached;
    for (uint32_t depth = 0;; ++depth) {
      rings_.push_back(frontier);
      if ((frontier & bad_) != bddfalse) return {Verdict::Reached, depth, "", "", run_to(depth)};
      if (limits_.on_bound) limits_.on_bound(depth);
      frontier = image(frontier) - reached;
      if (frontier == bddfalse)
        return {Verdict::Proved,
                0,
                fmt::format("all states have been met after {} steps", depth),
                "",
                {}};
      if (depth == limits_.depth) return bounded(depth, "the depth limit was reached");
      reached |= frontier;
    }
  }

 private:
  struct Part {
    bdd relation;
    bdd quantified;  // variables that no later part mentions
  };

  static void failed(int code) {
    if (code == BDD_MEMORY || code == BDD_NODENUM) _exit(kOutOfMemory);
    fmt::print(stderr, "BuDDy: {}\n", bdd_errstring(code));
    _exit(1);
  }

  void start_package() {
    bdd_init(kFirstNodes, kFirstNodes / kCacheRatio);
    bdd_error_hook(failed);
    bdd_gbc_hook(nullptr);
    bdd_resize_hook(nullptr);
    bdd_reorder_hook(nullptr);
    bdd_setcacheratio(kCacheRatio);
    if (limits_.memory > 0)
      bdd_setmaxnodenum(static_cast<int>(
          std::clamp<uint64_t>(limits_.memory / kBytesPerNode, kFirstNodes, 1U << 30)));
    present_.assign(system_.aig.node_count(), -1);
    const Order order(system_, property_);
    int count = 0;
    for (uint32_t node : order.leaves) {
      present_[node] = count;
      count += system_.aig.kind(node) == NodeKind::Latch ? 2 : 1;
    }
    bdd_setvarnum(std::max(count, 1));
    for (uint32_t node : order.leaves) {
      const bool latch = system_.aig.kind(node) == NodeKind::Latch;
      bdd_intaddvarblock(present_[node], present_[node] + (latch ? 1 : 0), BDD_REORDER_FIXED);
    }
    bdd_autoreorder(BDD_REORDER_SIFT);
  }

  int next_variable(uint32_t latch) const { return present_[latch] + 1; }

  void build_functions() {
    const Aig& aig = system_.aig;
    std::vector<bdd> values(aig.node_count(), bddfalse);
    const auto value = [&](Literal of) {
      return of.complemented() ? !values[of.node()] : values[of.node()];
    };
    for (uint32_t node : cone_.inputs) values[node] = bdd_ithvar(present_[node]);
    for (uint32_t node : cone_.latches) values[node] = bdd_ithvar(present_[node]);
    for (uint32_t node : cone_.gates) values[node] = value(aig.left(node)) & value(aig.right(node));
    for (uint32_t node : cone_.latches) next_.push_back(value(aig.next(aig.number_of(node))));
    constraints_ = bddtrue;
    for (Literal constraint : system_.constraints) constraints_ &= value(constraint);
    bad_ = value(system_.properties[property_].bad) & constraints_;
  }

  void build_relation() {
    std::vector<bdd> relations{constraints_};
    for (size_t i = 0; i < cone_.latches.size(); ++i) {
      const bdd part = bdd_biimp(bdd_ithvar(next_variable(cone_.latches[i])), next_[i]);
      const bdd joined = relations.back() & part;
      if (bdd_nodecount(joined) <= options_.part_nodes)
        relations.back() = joined;
      else
        relations.push_back(part);
    }
    std::vector<int> last(static_cast<size_t>(bdd_varnum()), 0);  // part that mentions it last
    for (size_t i = 0; i < relations.size(); ++i) {
      bdd support = bdd_support(relations[i]);  // false, of all things, where there is none
      for (; support != bddtrue && support != bddfalse; support = bdd_high(support))
        last[static_cast<size_t>(bdd_var(support))] = static_cast<int>(i);
    }
    for (const bdd& relation : relations) parts_.push_back({relation, bddtrue});
    for (const std::vector<uint32_t>* kind : {&cone_.inputs, &cone_.latches})
      for (uint32_t node : *kind) {
        const auto variable = static_cast<size_t>(present_[node]);
        parts_[static_cast<size_t>(last[variable])].quantified &= bdd_ithvar(present_[node]);
      }
    to_present_ = bdd_newpair();
    for (uint32_t node : cone_.latches)
      bdd_setpair(to_present_, next_variable(node), present_[node]);
  }

  bdd initial() const {
    const Aig& aig = system_.aig;
    bdd result = bddtrue;
    for (uint32_t node : cone_.latches) {
      const circuit::Reset reset = aig.reset(aig.number_of(node));
      if (reset == circuit::Reset::One) result &= bdd_ithvar(present_[node]);
      if (reset == circuit::Reset::Zero) result &= bdd_nithvar(present_[node]);
    }
    return result;
  }

  bdd image(const bdd& states) const {
    bdd result = states;
    for (const Part& part : parts_)
      result = bdd_appex(result, part.relation, bddop_and, part.quantified);
    return bdd_replace(result, to_present_);
  }

  // One assignment that a diagram allows; what it leaves open is false.
  static std::vector<bool> assignment(bdd of) {
    std::vector<bool> values(static_cast<size_t>(bdd_varnum()));
    while (of != bddtrue) {
      const bool high = bdd_low(of) == bddfalse;
      values[static_cast<size_t>(bdd_var(of))] = high;
      of = high ? bdd_high(of) : bdd_low(of);
    }
    return values;
  }

  circuit::Run run_to(uint32_t depth) const {
    const Aig& aig = system_.aig;
    circuit::Run run;
    run.steps.resize(depth + 1, std::vector<bool>(aig.inputs().size()));
    bdd allowed = rings_[depth] & bad_;
    std::vector<bool> values;
    for (uint32_t step = depth;; --step) {
      values = assignment(allowed);
      for (uint32_t node : cone_.inputs)
        run.steps[step][aig.number_of(node)] = values[static_cast<size_t>(present_[node])];
      if (step == 0) break;
      allowed = rings_[step - 1] & constraints_;
      for (size_t i = 0; i < cone_.latches.size(); ++i)
        allowed &= values[static_cast<size_t>(present_[cone_.latches[i]])] ? next_[i] : !next_[i];
    }
    for (uint32_t i = 0; i < aig.latches().size(); ++i)
      run.reset.push_back(aig.reset(i) == circuit::Reset::One);
    for (uint32_t node : cone_.latches)
      run.reset[aig.number_of(node)] = values[static_cast<size_t>(present_[node])];
    return run;
  }

  const circuit::System& system_;
  const Limits& limits_;
  const uint32_t property_;
  const DiagramOptions options_;
  const Cone cone_;
  std::vector<int> present_;  // by node: variable
  std::vector<bdd> next_;     // by latch of the cone
  bdd constraints_, bad_;
  std::vector<Part> parts_;
  bddPair* to_present_ = nullptr;
  std::vector<bdd> rings_;
};

}  // namespace

Answer check_diagrams(const circuit::System& system, uint32_t property, const Limits& limits,
                      DiagramOptions options) {
  const auto job = [&](const Limits& own) {
    // Lives until the process ends: nothing need be freed node by node.
    auto* reachability = new Reachability(system, property, own, options);
    return reachability->run();
  };
  Answer answer = answer_of_child(job, limits);
  if (answer.verdict == Verdict::Reached && !circuit::shows(system, answer.run, property))
    return unknown("the run that was found does not show the property");
  return answer;
}

Answer check_bdd(const circuit::System& system, uint32_t property, const Limits& limits) {
  return check_diagrams(system, property, limits, {});
}

}  // namespace heddle::symbolic
