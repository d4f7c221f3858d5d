// What a run came to, ready to be rendered. Every renderer (text, JSON) starts from this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/coverage_log.h"
#include "model/guarantee.h"
#include "trace/trace.h"

namespace heddle {

enum class Verdict : uint8_t { Pass, Fail, Unknown };

constexpr std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass:
      return "pass";
    case Verdict::Fail:
      return "fail";
    default:
      return "unknown";
  }
}

struct ReportedFinding {
  size_t number = 1;  // in this report, from 1; trace files are called by it
  Trace trace;
  std::string trace_file;  // where it was written; empty if it could not be
};

// How far the search had come at some time.
struct ProgressSample {
  double seconds = 0;
  uint64_t executions = 0;
  uint64_t failing_executions = 0;
  int64_t bound = -1;  // -1: none
};

struct RunResult {
  Verdict verdict = Verdict::Unknown;
  Guarantee facts;
  std::string guarantee;        // the same as a sentence without a final period
  std::string end_reason;       // "exhausted", "first finding", "time limit", …
  bool stopped_at_bug = false;  // it would have gone on with --keep-going
  std::string program;          // its path
  std::string name;             // what to call it
  std::string strategy;
  int64_t bound = -1;  // -1: none
  uint64_t executions = 0;
  uint64_t failing_executions = 0;
  uint64_t blocked = 0;
  uint64_t dismissed = 0;  // executions that broke an assumption
  bool vacuous = false;    // all of them did
  uint64_t redundant = 0;
  uint64_t events = 0;
  uint64_t longest = 0;
  uint64_t estimate = 0;      // of the executions in all; 0: not known
  double estimate_error = 0;  // relative standard error; 0: not known, or none
  uint32_t deaths = 0;        // processes that died under the search
  double seconds = 0;
  double cpu_seconds = 0;
  double startup_seconds = 0;  // until the first execution began
  std::string lost;  // what of the result could not be written, as a sentence; "" if nothing
  std::vector<std::string> notes;  // what the reader should know about the run
  std::vector<ReportedFinding> findings;
  std::vector<ProgressSample> progress;  // in order of time
  std::vector<CoverageRow> coverage;     // in order of executions, where they were counted
};

}  // namespace heddle
