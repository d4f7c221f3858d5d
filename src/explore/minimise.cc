// The problem. The first schedule that shows a bug, even one with the fewest preemptions, hops
// between threads for no reason: a reader looks for a meaning in each switch.
//
// The idea: delta debugging (Zeller, Hildebrandt, 2002) over context switches, from coarse to fine.
// First pieces of the schedule, beginning with all of it, then halves, quarters and so on, are put
// in order: each thread takes all its steps of the piece at once. That rids a long random schedule
// of most of its switches in a few attempts. Then the schedule is cut into stretches of one thread
// each, and one stretch at a time is moved to where its thread ran before, or will run next, which
// saves a switch or two. Whenever the program, run along the result as far as it goes, shows the
// same bug at lower cost, that is the new schedule. Ended when no single move helps.
//
// Tried and rejected: removing stretches altogether, as for inputs. The steps of the failing
// threads all have to be taken, and those of others rarely matter.
#include "explore/minimise.h"

#include <algorithm>
#include <tuple>

#include "model/turns.h"

namespace heddle {
namespace {

// Preemptions first: they are what makes a bug hard to hit.
auto cost(const Finding& finding) {
  return std::tuple(finding.preemptions, context_switches(finding.schedule),
                    finding.schedule.size());
}

Schedule moved(const Schedule& schedule, Turn what, size_t to) {
  Schedule result = schedule;
  auto at = [&](size_t i) { return result.begin() + static_cast<ptrdiff_t>(i); };
  if (to < what.begin)
    std::rotate(at(to), at(what.begin), at(what.end));
  else
    std::rotate(at(what.begin), at(what.end), at(to));
  return result;
}

// Whether a thread comes back in that piece after others have run.
bool returns(const Schedule& schedule, Turn piece) {
  std::vector<ThreadId> threads;
  for (size_t i = piece.begin; i < piece.end; ++i) {
    const ThreadId thread = schedule[i].thread;
    if (i > piece.begin && thread == schedule[i - 1].thread) continue;
    if (std::find(threads.begin(), threads.end(), thread) != threads.end()) return true;
    threads.push_back(thread);
  }
  return false;
}

enum class ThreadOrder : uint8_t { ByFirstStep, ByLastStep };

// The steps from `begin` to `end` grouped by thread: those first that take their first, or their
// last, step there earlier than the others.
Schedule grouped(const Schedule& schedule, Turn piece, ThreadOrder order) {
  std::vector<ThreadId> threads;
  for (size_t i = piece.begin; i < piece.end; ++i) {
    const ThreadId thread = schedule[i].thread;
    const auto known = std::find(threads.begin(), threads.end(), thread);
    if (known == threads.end())
      threads.push_back(thread);
    else if (order == ThreadOrder::ByLastStep)
      std::rotate(known, known + 1, threads.end());
  }
  Schedule result(schedule.begin(), schedule.begin() + static_cast<ptrdiff_t>(piece.begin));
  for (ThreadId thread : threads)
    for (size_t i = piece.begin; i < piece.end; ++i)
      if (schedule[i].thread == thread) result.push_back(schedule[i]);
  result.insert(result.end(), schedule.begin() + static_cast<ptrdiff_t>(piece.end), schedule.end());
  return result;
}

class Minimiser {
 public:
  Minimiser(const Finding& finding, const Rerun& attempt, size_t most)
      : best_(finding), attempt_(attempt), left_(most) {}

  Finding run() {
    group_pieces(left_ / 2);
    while (move_stretches()) continue;
    return best_;
  }

 private:
  static constexpr size_t kSmallestPiece = 8;

  void group_pieces(size_t most) {
    const size_t keep = left_ - most;
    for (size_t size = best_.schedule.size(); size >= kSmallestPiece; size /= 2)
      for (size_t begin = 0; begin < best_.schedule.size(); begin += size) {
        if (left_ <= keep) return;
        const Turn piece{begin, std::min(begin + size, best_.schedule.size())};
        if (!returns(best_.schedule, piece)) continue;
        if (!group(piece, ThreadOrder::ByLastStep)) group(piece, ThreadOrder::ByFirstStep);
      }
  }

  bool group(Turn piece, ThreadOrder order) {
    const Schedule wanted = grouped(best_.schedule, piece, order);
    return context_switches(wanted) < context_switches(best_.schedule) && helps(wanted);
  }

  // One attempt for each; true if any helped.
  bool move_stretches() {
    bool helped = false;
    std::vector<Turn> parts = turns_of(best_.schedule);
    for (size_t i = parts.size(); i-- > 1 && left_ > 0;) {
      if (!moves(parts, i)) continue;
      helped = true;
      parts = turns_of(best_.schedule);
      i = std::min(i + 1, parts.size());
    }
    return helped;
  }

  bool moves(const std::vector<Turn>& parts, size_t which) {
    for (size_t j = which; j-- > 0;)
      if (same_thread(parts[which], parts[j])) {
        if (helps(moved(best_.schedule, parts[which], parts[j].end))) return true;
        break;
      }
    for (size_t j = which + 1; j < parts.size(); ++j)
      if (same_thread(parts[which], parts[j]))
        return helps(moved(best_.schedule, parts[which], parts[j].begin));
    return false;
  }

  bool same_thread(Turn a, Turn b) const {
    return best_.schedule[a.begin].thread == best_.schedule[b.begin].thread;
  }

  bool helps(const Schedule& wanted) {
    if (left_ == 0) return false;
    --left_;
    std::optional<Finding> found = attempt_(wanted);
    if (!found || cost(*found) >= cost(best_)) return false;
    best_.failure = found->failure;
    best_.schedule = found->schedule;
    best_.preemptions = found->preemptions;
    return true;
  }

  Finding best_;
  const Rerun& attempt_;
  size_t left_;
};

}  // namespace

size_t context_switches(const Schedule& schedule) {
  size_t switches = 0;
  for (size_t i = 1; i < schedule.size(); ++i)
    if (schedule[i].thread != schedule[i - 1].thread) ++switches;
  return switches;
}

Finding minimise(const Finding& finding, const Rerun& attempt, size_t most) {
  return Minimiser(finding, attempt, most).run();
}

}  // namespace heddle
