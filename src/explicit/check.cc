#include "base/check.h"

#include <algorithm>

#include "explicit/check.h"
#include "explicit/context_bounded.h"
#include "explicit/lasso_search.h"
#include "explicit/ledger.h"
#include "explicit/reduction.h"
#include "explicit/search.h"
#include "explicit/store.h"

namespace heddle::explicit_states {
namespace {

std::unique_ptr<StateStore> make_store(const StateSpace& space, const CheckOptions& options) {
  switch (options.storage) {
    case Storage::Exact:
      break;
    case Storage::HashCompact:
      return make_hash_store(space);
    case Storage::Bitstate:
      return make_bit_store(space, options.memory_limit / 2);
  }
  return make_exact_store(space);
}

std::unique_ptr<Reduction> make_reduction(const StateSpace& space, const CheckOptions& options) {
  const CycleRule cycles =
      options.order == SearchOrder::DepthFirst ? CycleRule::Search : CycleRule::Sticky;
  switch (options.reduction) {
    case ReductionKind::None:
      break;
    case ReductionKind::Stubborn:
      return make_stubborn(space, Relation::Static, cycles);
    case ReductionKind::Transactions:
      return make_stubborn(space, Relation::LockPatterns, cycles);
  }
  return nullptr;
}

// Why nothing can be said although no bug was found; "" if something can be.
std::string reason_of(const CheckOptions& options, Incomplete incomplete) {
  switch (incomplete) {
    case Incomplete::No:
    case Incomplete::FirstFinding:
      return "";
    case Incomplete::Memory:
      return "the states need more memory than the limit of " +
             std::to_string(options.memory_limit >> 20) + " MiB";
    case Incomplete::StateLimit:
      return "there are more states than the limit of " +
             std::to_string(std::min(options.max_states, kMostStates));
    case Incomplete::Stopped:
      return "the search was stopped before it had seen all states";
  }
  return "";
}

}  // namespace

std::optional<std::string> refusal(const CheckOptions& options) {
  const bool restores = options.storage == Storage::Exact;
  if (options.temporal && (options.reduction != ReductionKind::None || options.max_preemptions)) {
    return "a temporal property cannot be combined with a reduction or a bound on preemptions: "
           "the executions they leave out may be those that break it";
  }
  if (options.temporal && !restores) {
    return "a temporal property needs states that are stored exactly";
  }
  if (options.max_preemptions && options.reduction != ReductionKind::None) {
    return "a bound on preemptions cannot be combined with a reduction: the executions it keeps "
           "may "
           "need more preemptions than those it leaves out";
  }
  if (options.max_preemptions && !restores) {
    return "a bound on preemptions needs states that are stored exactly";
  }
  if (options.order == SearchOrder::BreadthFirst && !restores) {
    return "a breadth-first search needs states that are stored exactly";
  }
  return std::nullopt;
}

CheckResult check(StateSpace& space, const CheckOptions& options) {
  HEDDLE_CHECK(!refusal(options));
  const std::unique_ptr<StateStore> store = make_store(space, options);
  Ledger ledger(options);
  if (options.temporal) {
    search_lasso(space, *store, ledger);
  } else if (options.max_preemptions) {
    search_context_bounded(space, *store, ledger);
  } else {
    const std::unique_ptr<Reduction> reduction = make_reduction(space, options);
    if (options.order == SearchOrder::BreadthFirst) {
      search_breadth_first(space, *store, reduction.get(), ledger);
    } else {
      search_depth_first(space, *store, reduction.get(), ledger);
    }
  }
  CheckResult& result = ledger.result();
  result.reason = reason_of(options, result.coverage.incomplete);
  result.verdict = !result.findings.empty() ? Verdict::Fail
                   : result.reason.empty()  ? Verdict::Pass
                                            : Verdict::Unknown;
  return std::move(result);
}

}  // namespace heddle::explicit_states
