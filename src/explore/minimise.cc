// The problem. The first schedule that shows a bug, even one with the fewest preemptions, hops
// between threads for no reason: a reader looks for a meaning in each switch.
//
// The idea: delta debugging (Zeller, Hildebrandt, 2002) over context switches. A schedule is cut
// into stretches of one thread each. One stretch at a time is moved to where its thread ran before,
// or will run next, which saves a switch or two; if the program, run along the result as far as it
// goes, shows the same bug at lower cost, that is the new schedule. Ended when no single move
// helps.
//
// Tried and rejected: removing stretches altogether, as for inputs. The steps of the failing
// threads all have to be taken, and those of others rarely matter.
#include "explore/minimise.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

struct Stretch {
  size_t begin = 0;
  size_t end = 0;
};

std::vector<Stretch> stretches(const Schedule& schedule) {
  std::vector<Stretch> found;
  for (size_t i = 0; i < schedule.size(); ++i) {
    if (i > 0 && schedule[i].thread == schedule[i - 1].thread)
      found.back().end = i + 1;
    else
      found.push_back({i, i + 1});
  }
  return found;
}

// Preemptions first: they are what makes a bug hard to hit.
auto cost(const Finding& finding) {
  return std::tuple(finding.preemptions, context_switches(finding.schedule),
                    finding.schedule.size());
}

Schedule moved(const Schedule& schedule, Stretch what, size_t to) {
  Schedule result = schedule;
  auto at = [&](size_t i) { return result.begin() + static_cast<ptrdiff_t>(i); };
  if (to < what.begin)
    std::rotate(at(to), at(what.begin), at(what.end));
  else
    std::rotate(at(what.begin), at(what.end), at(to));
  return result;
}

class Minimiser {
 public:
  Minimiser(const Finding& finding, const Rerun& attempt, size_t most)
      : best_(finding), attempt_(attempt), left_(most) {}

  Finding run() {
    while (improve()) continue;
    return best_;
  }

 private:
  bool improve() {
    const std::vector<Stretch> parts = stretches(best_.schedule);
    for (size_t i = parts.size(); i-- > 1;) {
      for (size_t j = i; j-- > 0;)
        if (same_thread(parts[i], parts[j])) {
          if (helps(moved(best_.schedule, parts[i], parts[j].end))) return true;
          break;
        }
      for (size_t j = i + 1; j < parts.size(); ++j)
        if (same_thread(parts[i], parts[j])) {
          if (helps(moved(best_.schedule, parts[i], parts[j].begin))) return true;
          break;
        }
    }
    return false;
  }

  bool same_thread(Stretch a, Stretch b) const {
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
