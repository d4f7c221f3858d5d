#include "runtime/session/channel_host.h"

#include <time.h>

#include <cstring>

#include "channel/finding_record.h"
#include "explore/divisible.h"
#include "runtime/checkers/promoted.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/arena.h"
#include "runtime/guest/raw.h"
#include "trace/trace_format.h"

namespace heddle {
namespace {

constexpr uint64_t kEstimateEvery = 256;  // executions
// A search some of whose executions were cut off at the limit of steps ends undecided in any case.
// One that nobody has set a limit to ends when there are so many.
constexpr uint64_t kMostCutOff = 200;

ChannelHeader& header() {
  return *g_runtime.header;
}

template <typename T>
void bump(std::atomic<T>& counter, T by = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

void post(uint32_t number, RecordStage stage, const Trace& trace) {
  const std::string text = to_text(trace);
  const FindingRecord head{kFindingRecordMagic, number,          stage,
                           trace.failure.kind,  trace.execution, text.size()};
  const uint64_t at = header().mailbox_used;
  if (at + sizeof head + text.size() > kMailboxBytes) return;
  memcpy(g_runtime.mailbox + at, &head, sizeof head);
  memcpy(g_runtime.mailbox + at + sizeof head, text.data(), text.size());
  header().mailbox_used = at + sizeof head + text.size();
}

void tell_estimate(const Explorer& explorer) {
  const Estimate estimate = explorer.estimate();
  header().progress.estimate.store(estimate.executions);
  header().progress.estimate_error.store(estimate.error);
}

// What the supervisor asks for later, while traces are made, does not end the search any more.
StopReason why_ended(EndReason reason) {
  switch (reason) {
    case EndReason::FirstFinding:
      return StopReason::FirstFinding;
    case EndReason::ExecutionLimit:
      return StopReason::ExecutionLimit;
    case EndReason::StepLimit:
      return StopReason::StepLimit;
    case EndReason::Stopped:
      return header().stop.load();
    case EndReason::Mistake:
    case EndReason::Exhausted:
    case EndReason::Divided:
      break;
  }
  return StopReason::None;
}

bool is_as_expected(const Explorer& explorer) {
  return explorer.findings().empty() && explorer.generation() == 0 && explorer.cut_off() == 0;
}

bool can_divide(Explorer& explorer) {
  const Divisible* divisible = explorer.strategy().divisible();
  return divisible != nullptr && divisible->may_divide() && is_as_expected(explorer);
}

void stop_for_memory() {
  StopReason none = StopReason::None;
  header().stop.compare_exchange_strong(none, StopReason::MemoryLimit);
}

}  // namespace

// The supervisor looks at all the memory there is, every now and then; this is told at once.
bool ChannelHost::stop_requested() {
  if (header().memory_limit != 0 && arena_used() > header().memory_limit) stop_for_memory();
  return header().stop.load(std::memory_order_relaxed) != StopReason::None;
}

// A search that has found something, or that the program has surprised, goes on in one process.
bool ChannelHost::division_requested(Explorer& explorer) {
  if (header().pieces_wanted.load(std::memory_order_relaxed) == 0) return false;
  if (header().indivisible.load() != 0) return false;
  if (can_divide(explorer)) return true;
  header().indivisible.store(1);
  return false;
}

bool ChannelHost::is_divided(const Explorer& explorer) {
  return explorer.end_reason() == EndReason::Divided || header().has_share != 0;
}

bool ChannelHost::is_interrupted() {
  const StopReason reason = header().stop.load(std::memory_order_relaxed);
  return reason == StopReason::Interrupted || reason == StopReason::TimeLimit;
}

void ChannelHost::steps_taken(uint64_t count) {
  bump(header().progress.heartbeat, count);
}

void ChannelHost::reach_milestone() {
  bump(header().progress.milestones);
}

void ChannelHost::execution_ended(const Explorer& explorer, const ExecutionSummary& summary) {
  Progress& progress = header().progress;
  bump(progress.heartbeat);
  progress.executions.store(explorer.executions(), std::memory_order_relaxed);
  progress.blocked.store(explorer.blocked(), std::memory_order_relaxed);
  progress.dismissed.store(explorer.dismissed(), std::memory_order_relaxed);
  progress.events.store(explorer.events(), std::memory_order_relaxed);
  progress.findings.store(explorer.findings().size(), std::memory_order_relaxed);
  progress.bound.store(explorer.strategy().bound(), std::memory_order_relaxed);
  if (summary.failed && !summary.is_probe) bump(progress.failing_executions);
  if (g_switches.detects_races && (g_races.out_of_room() || race_log().overflowed()))
    header().races_out_of_room = 1;
  if (!summary.is_probe && summary.steps > progress.longest.load(std::memory_order_relaxed))
    progress.longest.store(summary.steps, std::memory_order_relaxed);
  if (explorer.executions() % kEstimateEvery == 0) tell_estimate(explorer);
  if (header().has_share != 0 && !is_as_expected(explorer)) header().indivisible.store(1);
  const bool open_ended = header().timed == 0 && header().options.max_executions == 0;
  if (open_ended && explorer.cut_off() >= kMostCutOff) header().stop.store(StopReason::StepLimit);
}

void ChannelHost::search_ended(const Explorer& explorer) {
  if (explorer.end_reason() == EndReason::Mistake)
    cannot_run(std::string(explorer.strategy().mistake()).c_str());
  tell_estimate(explorer);
  header().ended_by = why_ended(explorer.end_reason());
  header().explored = 1;
}

// Asks the command line, which alone knows names.
bool ChannelHost::is_suppressed(uint32_t number, const Trace& race) {
  post(number, RecordStage::Question, race);
  const uint64_t question = header().questions.load() + 1;
  header().questions.store(question);
  while (header().answers.load() < question) {
    if (header().stop.load() != StopReason::None) return false;
    timespec pause{0, 1'000'000};
    raw::call(SYS_nanosleep, raw::bits(&pause), 0);
  }
  const bool suppressed = header().suppressed.load() != 0;
  if (suppressed) bump(header().progress.suppressed_findings);
  return suppressed;
}

bool ChannelHost::make_visible(const Failure& race) {
  return promote(race.object, race.size);
}

void ChannelHost::take_sketch(uint32_t number, const Trace& sketch) {
  post(number, RecordStage::Sketch, sketch);
}

void ChannelHost::take_trace(uint32_t number, const Trace& trace) {
  post(number, RecordStage::Traced, trace);
}

void ChannelHost::withdraw(uint32_t number) {
  post(number, RecordStage::Withdrawn, Trace{});
  header().progress.suppressed_findings.store(0);
}

}  // namespace heddle
