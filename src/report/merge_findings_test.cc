#include "report/merge_findings.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Trace race(uint64_t pc, uint64_t other, uint32_t preemptions, uint64_t occurrences) {
  Trace trace;
  trace.failure.kind = FindingKind::DataRace;
  trace.failure.pc = Address{pc};
  trace.failure.other = Address{other};
  trace.failure.object = Address{64};
  trace.preemptions = preemptions;
  trace.occurrences = occurrences;
  trace.execution = 10 - preemptions;
  return trace;
}

// Without debug information an instruction is a place.
TEST(MergeFindings, OrderOfThePlacesDoesNotMatter) {
  std::vector<Trace> traces = {race(1, 2, 3, 5), race(2, 1, 0, 9), race(1, 1, 0, 1)};
  merge_findings(traces);
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[0].preemptions, 0u);
  EXPECT_EQ(traces[0].occurrences, 9u);
  EXPECT_EQ(traces[0].execution, 7u);
  EXPECT_EQ(traces[1].failure.pc, Address{1});
}

TEST(MergeFindings, LeavesOtherKindsAlone) {
  std::vector<Trace> traces = {race(1, 2, 0, 1), race(1, 2, 0, 1)};
  traces[0].failure.kind = traces[1].failure.kind = FindingKind::Crash;
  merge_findings(traces);
  EXPECT_EQ(traces.size(), 2u);
}

TEST(MergeFindings, VariablesWithNamesAreToldApart) {
  std::vector<Trace> traces = {race(1, 2, 0, 1), race(1, 2, 0, 1), race(1, 2, 0, 1)};
  traces[0].objects = {{Address{64}, "on the heap", "slots[1]", {}}};
  traces[1].objects = {{Address{64}, "on the heap", "slots[2]", {}}};
  traces[2].objects = {{Address{64}, "on the heap", "total", {}}};
  merge_findings(traces);
  EXPECT_EQ(traces.size(), 2u);
}

}  // namespace
}  // namespace heddle
