// A whole search: from the first execution to the last word about the last finding.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "explore/explorer.h"
#include "explore/runner.h"
#include "model/coverage_log.h"
#include "model/run_options.h"
#include "search/host.h"
#include "search/recorder.h"
#include "search/simplify.h"

namespace heddle {

enum class SearchPhase : uint8_t { Exploring, Simplifying, Reporting };

// All that the next process needs to go on where this one died.
struct SearchState {
  SearchState(std::unique_ptr<Strategy> strategy, const ExploreLimits& limits)
      : explorer(std::move(strategy), limits) {}

  Explorer explorer;
  LoopPlaces loops;
  SearchPhase phase = SearchPhase::Exploring;
  int64_t began_ns = 0;  // 0: not yet
  Simplification simplification;
  size_t next_judge = 0;   // findings before it have been handed over
  size_t next_report = 0;  // findings before it have been explained
  // Made by whichever process, and read by this one.
  std::optional<Trace> recorded;  // of the finding before next_report, not yet handed over
  Trace other;                    // of another execution
};

// The strategy that the options name; it counts states where there is a log.
std::unique_ptr<Strategy> make_search(const RunOptions& options, CoverageLog* coverage);
ExploreLimits limits_of(const RunOptions& options);

class Search final : private ExploreObserver, private BetweenExecutions {
 public:
  struct Means {
    const RunOptions& options;
    CoverageLog* coverage;  // null: states are not counted
    Runner& runner;         // of the search
    Runner& rerunner;       // of what is run again
    Recorder& recorder;
    Host& host;
  };

  Search(SearchState& state, const Means& means);

  // The process of an earlier call has died under an execution, or between phases.
  void resume_after_death(const Failure& death);
  void run();
  // An execution was not followed beyond the limit of steps, as a livelock or without a finding.
  bool left_out_steps() const;

 private:
  bool stop_requested() override;
  bool division_requested() override;
  void steps_taken(uint64_t count) override;
  void execution_ended(const ExecutionSummary& summary) override;
  bool due() override;
  void settle() override;

  void explore();
  void take_findings();
  bool is_suppressed(const Finding& finding);
  void begin_anew();
  void report();
  Trace trace_of(const Finding& finding);
  Trace record(const Schedule& schedule);
  void hand_over_recorded();

  SearchState& state_;
  const Means means_;
  const Again again_;
};

// What is known of a finding without repeating its execution.
Trace sketch_of(const Finding& finding);
// Of a death nobody saw more than the step that the process was about to take.
void place_at_last_step(Trace& trace);

}  // namespace heddle
