// The axioms of sequential consistency over events (Alglave, Kroening, Tautschnig, "Partial orders
// for efficient bounded model checking of concurrent software", CAV 2013), with the acyclicity of
// the order left to refinement between calls of the solver (as the theory of orders in He, Sun,
// Fan, "Satisfiability modulo ordering consistency theory for multi-threaded program verification",
// PLDI 2021, which is inside a solver; CaDiCaL's interface has no place for it).
//
//   - Each read that takes place reads from one write of its cell that does, or finds what was
//     there when the first thread was created; the words are equal.
//   - A write that is read from comes before the read, and no other write comes between the two.
//   - The order has no cycle together with the order of each thread's own events and with the
//     creation and the end of threads.
//
// One variable says of two events of different threads on the same cell which is first. Nothing
// says that it is transitive: after a model has been found, each cycle of its order is excluded by
// a clause of the variables on it, the shortest through each edge, and the solver is asked again.
// The clauses hold of all executions, so that a later question starts with them.
#include "events/order.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>

#include "base/check.h"

namespace heddle::events {

using circuit::kFalse;
using circuit::kTrue;
using symbolic::Sat;

namespace {

constexpr uint32_t kMostCyclesAtOnce = 400;

}  // namespace

void Order::encode() {
  std::map<uint32_t, std::vector<Use>> uses;
  for (uint32_t event = 0; event < p_.events.size(); ++event)
    for (const Access& access : p_.events[event].accesses)
      if (access.when != kFalse) uses[access.cell].push_back({event, &access});
  for (const auto& [cell, list] : uses) encode_cell(cell, list);
}

Literal Order::order(uint32_t a, uint32_t b) {
  HEDDLE_CHECK(a != b);
  if (p_.before(a, b)) return kTrue;
  if (p_.before(b, a)) return kFalse;
  const auto [found, is_new] = known_.try_emplace({std::min(a, b), std::max(a, b)});
  if (is_new) {
    found->second = p_.aig.add_input("");
    pairs_.push_back({std::min(a, b), std::max(a, b), found->second});
  }
  return a < b ? found->second : !found->second;
}

void Order::encode_cell(uint32_t cell, const std::vector<Use>& uses) {
  std::vector<Use> writes;
  for (const Use& use : uses)
    if (use.access->writes) writes.push_back(use);
  for (const Use& use : uses)
    if (use.access->reads) encode_read(cell, use, writes);
}

// The literals whose conjunction it is.
const std::set<uint32_t>& Order::conjuncts(Literal literal) {
  const auto [found, is_new] = conjuncts_.try_emplace(literal.code);
  if (!is_new) return found->second;
  std::vector<Literal> open{literal};
  while (!open.empty()) {
    const Literal next = open.back();
    open.pop_back();
    if (!found->second.insert(next.code).second) continue;
    if (next.complemented() || p_.aig.kind(next.node()) != circuit::NodeKind::And) continue;
    open.push_back(p_.aig.left(next.node()));
    open.push_back(p_.aig.right(next.node()));
  }
  return found->second;
}

// Whether the second holds wherever the first does, as far as can be seen from their shape.
bool Order::sure(Literal when, Literal also) {
  return also == kTrue || conjuncts(when).contains(also.code);
}

// Another write stands between them in each execution. `source`: an event; kNoEvent: what was there
// at first.
bool Order::is_hidden(const Use& read, uint32_t source, const std::vector<Use>& writes) {
  return std::ranges::any_of(writes, [&](const Use& other) {
    return other.event != read.event && other.event != source &&
           p_.before(other.event, read.event) &&
           (source == kNoEvent || p_.before(source, other.event)) &&
           sure(read.access->when, other.access->when);
  });
}

bool Order::may_read(const Use& read, const Use& write, const std::vector<Use>& writes) {
  return write.event != read.event && !p_.before(read.event, write.event) &&
         !is_hidden(read, write.event, writes);
}

// Where the source is chosen, the words are equal. False: they never are.
bool Order::bind(Literal source, const Word& seen, const Word& stored) {
  for (size_t i = 0; i < seen.size(); ++i)
    if (seen[i] == !stored[i]) return false;
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == stored[i]) continue;
    solver_.require_one_of(std::array{!source, !seen[i], stored[i]});
    solver_.require_one_of(std::array{!source, seen[i], !stored[i]});
  }
  return true;
}

void Order::encode_read(uint32_t cell, const Use& read, const std::vector<Use>& writes) {
  const Access& access = *read.access;
  std::vector<Literal> sources{!access.when};
  for (const Use& write : writes) {
    if (!may_read(read, write, writes)) continue;
    const Literal source = p_.aig.add_input("");
    if (!bind(source, access.seen, write.access->stored)) continue;
    sources.push_back(source);
    solver_.require_one_of(std::array{!source, write.access->when});
    solver_.require_one_of(std::array{!source, order(write.event, read.event)});
    for (const Use& other : writes) {
      if (other.event == write.event || other.event == read.event) continue;
      if (p_.before(other.event, write.event) || p_.before(read.event, other.event)) continue;
      solver_.require_one_of(std::array{!source, !other.access->when,
                                        order(other.event, write.event),
                                        order(read.event, other.event)});
    }
  }
  if (!is_hidden(read, kNoEvent, writes)) {
    const Literal source = p_.aig.add_input("");
    if (bind(source, access.seen, p_.initial.at(cell))) {
      sources.push_back(source);
      for (const Use& other : writes)
        if (other.event != read.event)
          solver_.require_one_of(
              std::array{!source, !other.access->when, order(read.event, other.event)});
    }
  }
  solver_.require_one_of(sources);
}

// ---- refinement ----

Order::Edges Order::edges() const {
  Edges result(p_.events.size());
  for (uint32_t slot = 0; slot < p_.slots; ++slot) {
    uint32_t last = kNoEvent;
    for (const uint32_t event : p_.of_slot[slot]) {
      if (!takes_place(event)) continue;
      if (last != kNoEvent) result[last].push_back({event, kTrue});
      last = event;
    }
    if (p_.start[slot] == kNoEvent || !takes_place(p_.start[slot])) continue;
    // The creation: the last event that comes before the start in the creating thread.
    const Event& start = p_.events[p_.start[slot]];
    for (uint32_t other = 0; other < p_.slots; ++other)
      for (uint32_t n = std::min<uint32_t>(start.after[other],
                                           static_cast<uint32_t>(p_.of_slot[other].size()));
           n > 0; --n)
        if (takes_place(p_.of_slot[other][n - 1])) {
          result[p_.of_slot[other][n - 1]].push_back({p_.start[slot], kTrue});
          break;
        }
  }
  for (const Join& join : p_.joins)
    if (p_.end[join.joined] != kNoEvent && solver_.value(join.taken))
      result[p_.end[join.joined]].push_back({join.event, join.taken});
  for (const Pair& pair : pairs_) {
    if (!takes_place(pair.a) || !takes_place(pair.b)) continue;
    const bool first = solver_.value(pair.first);
    const uint32_t from = first ? pair.a : pair.b, to = first ? pair.b : pair.a;
    result[from].push_back({to, first ? pair.first : !pair.first});
  }
  return result;
}

// Strongly connected components (Tarjan 1972), by event; events that do not take place have their
// own.
std::vector<uint32_t> Order::components(const Edges& edges) const {
  const auto count = static_cast<uint32_t>(edges.size());
  std::vector<uint32_t> number(count, kNoEvent), low(count), component(count, kNoEvent);
  std::vector<uint32_t> stack;
  uint32_t next = 0;
  struct Frame {
    uint32_t event;
    size_t edge;
  };
  for (uint32_t root = 0; root < count; ++root) {
    if (number[root] != kNoEvent) continue;
    std::vector<Frame> frames{{root, 0}};
    number[root] = low[root] = next++;
    stack.push_back(root);
    while (!frames.empty()) {
      auto& [event, edge] = frames.back();
      if (edge < edges[event].size()) {
        const uint32_t to = edges[event][edge++].to;
        if (number[to] == kNoEvent) {
          number[to] = low[to] = next++;
          stack.push_back(to);
          frames.push_back({to, 0});
        } else if (component[to] == kNoEvent) {
          low[event] = std::min(low[event], number[to]);
        }
        continue;
      }
      const uint32_t done = event;
      frames.pop_back();
      if (!frames.empty()) low[frames.back().event] = std::min(low[frames.back().event], low[done]);
      if (low[done] != number[done]) continue;
      for (uint32_t member = kNoEvent; member != done;) {
        member = stack.back();
        stack.pop_back();
        component[member] = done;
      }
    }
  }
  return component;
}

// The cycle with the fewest conditions through the edge.
bool Order::exclude_cycle(const Edges& edges, const std::vector<uint32_t>& component,
                          const Edge& edge, uint32_t from) {
  constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> distance(edges.size(), kFar);
  std::vector<std::pair<uint32_t, Literal>> before(edges.size());
  std::deque<uint32_t> open{edge.to};
  distance[edge.to] = 0;
  while (!open.empty()) {
    const uint32_t event = open.front();
    open.pop_front();
    if (event == from) break;
    for (const Edge& next : edges[event]) {
      if (component[next.to] != component[from]) continue;
      const uint32_t length = distance[event] + (next.why == kTrue ? 0 : 1);
      if (length >= distance[next.to]) continue;
      distance[next.to] = length;
      before[next.to] = {event, next.why};
      if (next.why == kTrue)
        open.push_front(next.to);
      else
        open.push_back(next.to);
    }
  }
  HEDDLE_CHECK(distance[from] != kFar);
  std::vector<uint32_t> clause{(!edge.why).code};
  for (uint32_t event = from; event != edge.to; event = before[event].first)
    if (before[event].second != kTrue) clause.push_back((!before[event].second).code);
  std::ranges::sort(clause);
  if (!excluded_.insert(clause).second) return false;
  std::vector<Literal> literals;
  for (const uint32_t code : clause) literals.push_back({code});
  solver_.require_one_of(literals);
  return true;
}

bool Order::exclude_cycles() {
  const Edges all = edges();
  const std::vector<uint32_t> component = components(all);
  uint32_t found = 0;
  bool cyclic = false;
  for (uint32_t from = 0; from < all.size() && found < kMostCyclesAtOnce; ++from)
    for (const Edge& edge : all[from]) {
      if (edge.why == kTrue || component[edge.to] != component[from]) continue;
      cyclic = true;
      found += exclude_cycle(all, component, edge, from) ? 1 : 0;
      if (found >= kMostCyclesAtOnce) break;
    }
  HEDDLE_CHECK(!cyclic || found > 0);
  return cyclic;
}

Sat Order::solve(Literal assumption) {
  for (;;) {
    ++calls_;
    const Sat result = solver_.solve(assumption);
    if (result != Sat::Satisfiable || !exclude_cycles()) return result;
  }
}

std::vector<uint32_t> Order::linear() const {
  const Edges all = edges();
  std::vector<uint32_t> waits(all.size());
  for (const std::vector<Edge>& list : all)
    for (const Edge& edge : list) ++waits[edge.to];
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> open;
  for (uint32_t event = 0; event < all.size(); ++event)
    if (takes_place(event) && waits[event] == 0) open.push(event);
  std::vector<uint32_t> result;
  while (!open.empty()) {
    const uint32_t event = open.top();
    open.pop();
    result.push_back(event);
    for (const Edge& edge : all[event])
      if (--waits[edge.to] == 0) open.push(edge.to);
  }
  return result;
}

}  // namespace heddle::events
