#include "report/text_report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "report/excerpt.h"
#include "report/json_report.h"
#include "report/kinds_explained.h"
#include "report/narrative.h"
#include "report/narrator.h"

namespace heddle {
namespace {

TraceStep step(Op op, uint32_t thread, uint64_t object = 0) {
  TraceStep s;
  s.action.op = op;
  s.action.thread = ThreadId{thread};
  s.action.object = Address{object};
  return s;
}

// Two threads that lock a and b in opposite orders.
RunResult deadlock() {
  Trace t;
  t.program = "/home/me/knot";
  t.failure = {FindingKind::Deadlock, "deadlock: thread 0 and thread 1 are blocked", ThreadId{0},
               kNoAddress};
  t.execution = 3;
  t.preemptions = 1;
  t.threads = {{}, {ThreadId{1}, kMainThread, 1, kNoAddress, ""}};
  t.objects = {{Address{16}, "on the stack of thread 0", "", {}},
               {Address{32}, "on the stack of thread 0", "", {}}};
  t.steps = {step(Op::ThreadCreate, 0, 1), step(Op::MutexLock, 0, 16), step(Op::ThreadStart, 1),
             step(Op::MutexLock, 1, 32)};
  t.steps[2].preempts = true;
  for (const TraceStep& s : t.steps) t.schedule.push_back({s.action.thread, 0});
  TraceThreadEnd first, second;
  first.next = step(Op::MutexLock, 0, 32).action;
  first.waits_for = ThreadId{1};
  second.next = step(Op::MutexLock, 1, 16).action;
  second.waits_for = ThreadId{0};
  t.ends = {first, second};
  t.cycle = {ThreadId{0}, ThreadId{1}};
  t.output = "hello\nwor\xffld";
  RunResult result;
  result.verdict = Verdict::Fail;
  result.guarantee = "all executions with at most 0 preemptions";
  result.strategy = "icb";
  result.bound = 1;
  result.executions = 3;
  result.findings = {{1, t, "my knot.1.heddle-trace"}};
  return result;
}

TEST(TextReport, TellsTheStoryOfADeadlock) {
  std::string text = text_report(deadlock(), {});
  for (const char* expected : {
           "knot: deadlock: thread 0 and thread 1 are blocked\n",
           "waiting in a circle:\n",
           "  thread 0 \"main\" waits for mutex #2, held by thread 1 (since step 4)\n",
           "  thread 1 waits for mutex #1, held by thread 0 \"main\" (since step 2)\n",
           "  thread 1, created by thread 0\n",
           "creates thread 1",
           "locks mutex #1",
           "  mutex #1: on the stack of thread 0\n",
           "     3* ",
           "  | hello\n",
           "fewest preemptions found: 1 (execution 3)\n",
           "heddle replay 'my knot.1.heddle-trace'\n",
           "fail: 1 bug found\n",
       })
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\nis not in\n" << text;
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text_report(deadlock(), {80, true}).find('\033'), std::string::npos);
}

size_t widest_table_line(const std::string& text) {
  size_t widest = 0;
  std::string_view rest(text);
  rest.remove_prefix(rest.find("steps"));
  rest = rest.substr(0, rest.find("\n\n"));
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    widest = std::max(widest, width_of(rest.substr(0, end)));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return widest;
}

TEST(TextReport, FitsTheWidth) {
  RunResult result = deadlock();
  Trace& trace = result.findings[0].trace;
  trace.objects[0].name =
      "a very long name of an object on the heap, block 3 of thread 1, offset 8";
  for (size_t width : {60, 80, 120})
    EXPECT_LE(widest_table_line(trace_report(trace, {width, false})), width) << width;
  for (uint32_t i = 2; i < 40; ++i) trace.steps.push_back(step(Op::MutexLock, i, 16));
  EXPECT_LE(widest_table_line(trace_report(trace, {80, false})), 80u);
}

TEST(TextReport, FoldsALongExecution) {
  RunResult result = deadlock();
  Trace& trace = result.findings[0].trace;
  for (int i = 0; i < 10'000; ++i) {
    trace.steps.push_back(step(Op::AtomicLoad, 1, 64));
    trace.steps.push_back(step(Op::Yield, 1));
  }
  std::string text = trace_report(trace, {});
  EXPECT_NE(text.find("these 2 steps 9,999 more times"), std::string::npos) << text;
  EXPECT_LT(text.size(), 4000u);
}

TEST(TextReport, LeavesOutWhatConcernsNobodyElse) {
  RunResult result = deadlock();
  Trace& trace = result.findings[0].trace;
  std::vector<TraceStep> own;  // different each time, so that nothing is a repetition
  for (uint64_t i = 0; i < 40; ++i) own.push_back(step(Op::AtomicStore, 0, 0x1000 + 8 * i * i));
  trace.steps.insert(trace.steps.begin() + 1, own.begin(), own.end());
  std::string text = trace_report(trace, {});
  EXPECT_NE(text.find("… 40 steps"), std::string::npos) << text;
  EXPECT_NE(text.find("    42  locks mutex #1"), std::string::npos) << text;
  EXPECT_NE(text.find("    43* "), std::string::npos) << text;
  TextStyle full;
  full.full = true;
  std::string all = trace_report(trace, full);
  EXPECT_EQ(all.find("… 40 steps"), std::string::npos);
  EXPECT_NE(all.find("    41  atomically stores to"), std::string::npos) << all;
}

TEST(TextReport, UnderlinesTheToken) {
  std::string path = testing::TempDir() + "heddle_excerpt_test.c";
  std::ofstream(path) << "void f(void) {\n  place(1);\n}\n";
  Place place{"x.c", path, 2, 3, "f"};
  std::string text = source_excerpt(place, {});
  EXPECT_NE(text.find("       |   ^~~~~\n"), std::string::npos) << text;
}

TEST(TextReport, ShowsTheTokenEvenIfItIsFarToTheRight) {
  std::string path = testing::TempDir() + "heddle_excerpt_far_test.c";
  std::string start(70, 'x');
  std::ofstream(path) << "short\n" << start << "é + place(1) + more_of_it_that_is_cut;\n";
  Place place{"x.c", path, 2, 76, "f"};  // é has two bytes
  TextStyle narrow;
  narrow.width = 40;
  std::string text = source_excerpt(place, narrow);
  size_t line = text.find("     2 | "), mark = text.find("       | ");
  ASSERT_NE(line, std::string::npos) << text;
  ASSERT_NE(mark, std::string::npos) << text;
  std::string source = text.substr(line, text.find('\n', line) - line);
  std::string marks = text.substr(mark, text.find('\n', mark) - mark);
  EXPECT_LE(width_of(source), 40u) << text;
  EXPECT_EQ(width_of(source.substr(0, source.find("place"))), marks.find("^~~~~")) << text;
}

TEST(Narrative, HasAdviceForEveryKindOfBug) {
  for (FindingKind kind : {
#define X(enumerator, name, severity) FindingKind::enumerator,
           HEDDLE_FINDING_KINDS(X)
#undef X
       }) {
    Trace trace;
    trace.failure.kind = kind;
    EXPECT_FALSE(advice(trace).empty()) << name(kind);
  }
}

TEST(KindsExplained, EachKindHasItsOwn) {
  std::set<std::string> texts;
  for (FindingKind kind : {
#define X(enumerator, name, severity) FindingKind::enumerator,
           HEDDLE_FINDING_KINDS(X)
#undef X
       }) {
    const std::string text = explanation(kind, {});
    EXPECT_TRUE(text.starts_with(std::string(name(kind)) + ":\n")) << text;
    EXPECT_TRUE(texts.insert(text.substr(text.find('\n'))).second) << name(kind);
    EXPECT_NE(list_of_explanations().find(name(kind)), std::string::npos);
  }
}

TEST(TextReport, BreaksSentencesOnAScreen) {
  TextStyle screen;
  screen.width = 20;
  screen.wrap = screen.colour = true;
  const std::string text = "  one two three four five six\nshort\n";
  EXPECT_EQ(wrapped(text, {}), text);
  EXPECT_EQ(wrapped(text, screen), "  one two three four\n      five six\nshort\n");
  const std::string strong = painted("one", Paint::Strong, screen);
  EXPECT_EQ(wrapped("  " + strong + " two three four five six", screen),
            "  " + strong + " two three four\n      five six");
  const std::string word(30, 'x');
  EXPECT_EQ(wrapped("a " + word + " b", screen), "a\n    " + word + "\n    b");
  EXPECT_EQ(wrapped("é é é é é é é é é é", screen), "é é é é é é é é é é");
}

TEST(TextReport, SaysWhyNothingIsKnown) {
  RunResult result;
  result.end_reason = "time limit";
  result.notes = {"something odd"};
  std::string text = text_report(result, {});
  EXPECT_NE(text.find("unknown: nothing found, but the search is not complete (time limit)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("note: something odd\n"), std::string::npos);
}

// Thread 1 signals before thread 0 waits.
Trace lost_wakeup() {
  Trace t;
  t.program = "/home/me/queue";
  t.failure = {FindingKind::Deadlock, "deadlock: thread 0 is blocked", ThreadId{0}, kNoAddress};
  t.threads = {{}, {ThreadId{1}, kMainThread, 1, kNoAddress, ""}};
  t.objects = {{Address{16}, "on the heap", "ready", {}}};
  t.steps = {step(Op::ThreadCreate, 0, 1), step(Op::ThreadStart, 1), step(Op::CondSignal, 1, 16),
             step(Op::CondWait, 0, 16)};
  for (const TraceStep& s : t.steps) t.schedule.push_back({s.action.thread, 0});
  TraceThreadEnd end;
  end.next = step(Op::CondBlocked, 0, 16).action;
  t.ends = {end};
  t.critical = {CauseKind::LostSignal, {2, 3}, std::nullopt};
  return t;
}

TEST(TextReport, CallsALostSignalByItsName) {
  const std::string text = trace_report(lost_wakeup(), {});
  EXPECT_EQ(text.find("queue: lost wake-up: thread 1 signals ready before thread 0 waits for it"),
            0u)
      << text;
  EXPECT_NE(text.find("run so that thread 0 waits on ready before thread 1 signals ready, the "
                      "program did not show the bug"),
            std::string::npos)
      << text;
  Trace answered = lost_wakeup();
  answered.steps.erase(answered.steps.begin() + 2);  // nobody signals at all
  EXPECT_EQ(trace_report(answered, {}).find("queue: deadlock: thread 0 is blocked"), 0u);
}

TEST(TextReport, ListsSeveralFindingsInShort) {
  RunResult result = deadlock();
  EXPECT_EQ(text_report(result, {}).find("in short"), std::string::npos);
  result.findings.push_back({2, lost_wakeup(), ""});
  const std::string text = text_report(result, {});
  EXPECT_NE(text.find("all of them in short:\n   1. knot: deadlock: thread 0 and thread 1 are "
                      "blocked\n   2. queue: lost wake-up: "),
            std::string::npos)
      << text;
}

TEST(TextReport, SaysThatItStoppedAtTheFirstBug) {
  RunResult result = deadlock();
  result.stopped_at_bug = true;
  result.guarantee = "nothing yet: the search has not ended";
  std::string text = text_report(result, {});
  EXPECT_NE(text.find("stopped at the first bug; --keep-going searches on\n"), std::string::npos);
  EXPECT_EQ(text.find("guarantee:"), std::string::npos) << text;
  result.facts.scope = result.guarantee = "all executions with at most 1 preemption";
  text = text_report(result, {});
  EXPECT_NE(text.find("guarantee: all executions with"), std::string::npos) << text;
}

TEST(TextReport, SaysHowFarItWas) {
  RunResult result;
  result.strategy = "optimal-dpor";
  result.executions = 12'345;
  result.estimate = 73'789;
  EXPECT_EQ(text_report(result, {}).find("about"), std::string::npos);  // it may be far off
  result.estimate_error = 0.113;
  const std::string text = text_report(result, {});
  EXPECT_NE(text.find("12,345 executions of about 74,000 (±12 %) (optimal-dpor), 0 events"),
            std::string::npos)
      << text;
}

TEST(JsonReport, HasTheFieldsOfTheDesign) {
  auto json = nlohmann::json::parse(json_report(deadlock(), "1.2"));
  for (const char* field : {"verdict", "guarantee", "executions", "blocked", "redundant", "events",
                            "seconds", "cpu_seconds", "strategy", "bound", "findings"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["verdict"], "fail");
  EXPECT_EQ(json["tool_version"], "1.2");
  EXPECT_EQ(json["bound"], 1);
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["kind"], "deadlock");
  EXPECT_EQ(finding["preemptions"], 1);
  EXPECT_EQ(finding["schedule"], "0*2 1*2");
  EXPECT_EQ(finding["trace_file"], "my knot.1.heddle-trace");
  EXPECT_TRUE(finding.contains("location"));
  EXPECT_TRUE(nlohmann::json::parse(json_report(RunResult{}, "1.2"))["bound"].is_null());
}

TEST(ShellWord, QuotesWhatAShellWouldSplit) {
  EXPECT_EQ(shell_word("a/b-1.heddle-trace"), "a/b-1.heddle-trace");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(file_word("-x.1.heddle-trace"), "./-x.1.heddle-trace");
  EXPECT_EQ(file_word("x y"), "'x y'");
}

TEST(TextStyle, CountsCharactersNotBytes) {
  EXPECT_EQ(width_of("…é"), 2u);
  EXPECT_EQ(cut_to("abcdef", 4), "abc…");
  EXPECT_EQ(cut_to("abc", 4), "abc");
  EXPECT_EQ(padded("éa", 4), "éa  ");
  EXPECT_EQ(cut_to("abc", 0), "");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "bug"), "1 bug");
}

}  // namespace
}  // namespace heddle
