#include "trace/trace.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle {
namespace {

Trace sample() {
  Trace t;
  t.program = "/home/a user/queue";
  t.arguments = {"3", "", "two\nlines \\ tab\t \x01"};
  t.build_id = "5f0c";
  t.tool_version = "1.2";
  t.run_settings = {"visible=all"};
  t.failure = {FindingKind::Deadlock, "two threads wait", ThreadId{1}, Address{0x401136}};
  t.execution = 17;
  t.occurrences = 2;
  t.preemptions = 1;
  for (uint32_t i = 0; i < 200; ++i) t.schedule.push_back({ThreadId{i % 3}, i % 7});
  t.modules = {
      {"/home/a user/queue", 0x400000, 0x400000, 0x405000}, {"linux-vdso.so.1", 0, 1, 2}, {}};
  t.threads = {{}, {ThreadId{1}, kMainThread, 1, Address{0x401200}, "a worker"}};
  TraceStep step;
  step.action = {.op = Op::AtomicCas,
                 .order = MemoryOrder::AcqRel,
                 .size = 8,
                 .thread = ThreadId{1},
                 .object = Address{16},
                 .second = Address{32},
                 .pc = Address{64}};
  step.choice = 1;
  step.choices = 2;
  step.preempts = true;
  step.stack = {Address{1}, Address{2}};
  t.steps = {step, TraceStep{}};
  TraceThreadEnd end;
  end.next.op = Op::MutexLock;
  end.enabled = true;
  end.waits_for = ThreadId{1};
  end.stack = {Address{5}};
  t.ends = {end};
  t.cycle = {ThreadId{0}, ThreadId{1}};
  t.objects = {{Address{16},
                "heap block 3 of thread 1 (40 bytes), offset 8",
                "the queue",
                {ThreadId{1}, Address{17}, Address{8}, Address{40}}}};
  t.critical = {CauseKind::Atomicity, {0, 3, 7}, step};
  t.failure_stack = {Address{7}, Address{8}};
  t.failure.other = Address{0x401140};
  t.failure.object = Address{0x404040};
  t.failure.size = 4;
  t.failure.knot = 0x1234567;
  t.failure.wait_status = 11;
  t.cut_short = true;
  t.visible_memory = {{Address{0x404040}, 4}};
  TraceEvidence access;
  access.role = EvidenceRole::EarlierAccess;
  access.action = {.op = Op::Write,
                   .size = 4,
                   .thread = ThreadId{2},
                   .object = Address{0x404040},
                   .pc = Address{9}};
  access.locks = {Address{16}};
  access.stack = {Address{9}, Address{10}};
  access.step = 2;
  access.value = 0xffffffff;
  t.objects[0].block = Address{8};
  t.objects[0].block_size = 40;
  t.objects[0].pointer = Address{0x404048};
  t.evidence = {access, {EvidenceRole::Allocated, {}, {}, {}}};
  t.resync = "1 of 2 steps; \"x\"";
  t.output = "hello\nheddle-trace 1\nend\nno newline";
  return t;
}

TEST(Trace, SurvivesTheRoundTrip) {
  Trace trace = sample();
  ParseError error;
  std::optional<Trace> back = parse_trace(to_text(trace), error);
  ASSERT_TRUE(back) << error.line << ": " << error.message;
  EXPECT_EQ(to_text(*back), to_text(trace));
  EXPECT_EQ(back->arguments, trace.arguments);
  EXPECT_EQ(back->schedule, trace.schedule);
  EXPECT_EQ(back->output, trace.output);
  EXPECT_EQ(back->resync, trace.resync);
  EXPECT_EQ(back->modules[1].path, "linux-vdso.so.1");
  EXPECT_EQ(back->steps[0].stack, trace.steps[0].stack);
  EXPECT_EQ(back->steps[0].action.order, MemoryOrder::AcqRel);
  EXPECT_TRUE(back->steps[0].preempts);
  EXPECT_EQ(back->steps[1].action.order, MemoryOrder::None);
  EXPECT_EQ(back->ends[0].waits_for, ThreadId{1});
  EXPECT_EQ(back->failure.message, trace.failure.message);
  EXPECT_EQ(back->threads[0].parent, kNoThread);
  EXPECT_EQ(back->threads[1].name, "a worker");
}

TEST(Trace, NotesAreRemarksWithoutMeaning) {
  Trace trace = sample();
  std::string text = to_text(trace, TraceNotes{{"locks m  # queue.c:41", "x"}});
  EXPECT_NE(text.find("queue.c:41"), std::string::npos);
  ParseError error;
  std::optional<Trace> back = parse_trace(text, error);
  ASSERT_TRUE(back) << error.message;
  EXPECT_EQ(back->steps[0].remark, "locks m  # queue.c:41");
  EXPECT_EQ(to_text(*back), text);
  for (TraceStep& step : back->steps) step.remark.clear();
  EXPECT_EQ(to_text(*back), to_text(trace));
}

TEST(Trace, UnknownLinesAreSkipped) {
  std::string text = to_text(sample());
  text.insert(text.find("failure "), "colour blue\n");
  ParseError error;
  EXPECT_TRUE(parse_trace(text, error)) << error.message;
}

struct Bad {
  std::string text;
  int line;
  std::string word;  // of the message
};

TEST(Trace, ErrorsNameTheLine) {
  const Bad cases[] = {
      {"", 1, "not a trace"},
      {"\x7f"
       "ELF",
       1, "not a trace"},
      {"heddle-trace x\nend\n", 1, "not a number"},
      {"heddle-trace 2\nend\n", 1, "version 2"},
      {"heddle-trace 1\n", 1, "cut off"},
      {"heddle-trace 1\nprogram /x\n", 2, "cut off"},
      {"heddle-trace 1\nstep no-such-op\nend\n", 2, "malformed"},
      {"heddle-trace 1\nprogram /x\nfailure headache\nend\n", 3, "malformed"},
      {"heddle-trace 1\nschedule 0*\nend\n", 2, "malformed"},
      {"heddle-trace 1\nschedule 0*4000000000\nend\n", 2, "malformed"},
      {"heddle-trace 1\nstep yield thread=zero\nend\n", 2, "malformed"},
      {"heddle-trace 1\nprogram \\q\nend\n", 2, "malformed"},
      {"heddle-trace 1\nthread 1 parent=0\nend\n", 2, "malformed"},
      {"heddle-trace 1\nthread 1 parent=0 birth=4000000000\nend\n", 2, "malformed"},
      {"heddle-trace 1\nthread 4000000000 parent=0 birth=1\nend\n", 2, "malformed"},
      {"heddle-trace 1\n\x01\x02\nend\n", 2, "malformed"},
  };
  for (const Bad& bad : cases) {
    ParseError error;
    EXPECT_FALSE(parse_trace(bad.text, error)) << bad.text;
    EXPECT_EQ(error.line, bad.line) << bad.text;
    EXPECT_NE(error.message.find(bad.word), std::string::npos) << error.message;
  }
}

void mutate(std::string& text, Random& random) {
  size_t at = random.below(text.size());
  switch (random.below(4)) {
    case 0:
      text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      text.erase(at, random.below(20));
      break;
    case 2:
      text.insert(at, text, random.below(text.size()), random.below(40));
      break;
    default:
      text.insert(at, 1, "0123456789*/,=x \n\\"[random.below(18)]);
  }
}

// Whatever a damaged text parses to must itself survive the round trip.
TEST(Trace, DamagedTextNeverCrashesTheParser) {
  Random random(2026);
  Trace small = sample();
  small.schedule.resize(8);
  const std::string original = to_text(small);
  int parsed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = original;
    for (uint64_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) mutate(text, random);
    ParseError error;
    std::optional<Trace> trace = parse_trace(text, error);
    if (!trace) {
      EXPECT_FALSE(error.message.empty());
      EXPECT_GT(error.line, 0);
      continue;
    }
    if (trace->schedule.size() > 100'000) continue;
    ++parsed;
    std::string again = to_text(*trace);
    std::optional<Trace> back = parse_trace(again, error);
    ASSERT_TRUE(back) << error.line << ": " << error.message << "\n" << again;
    EXPECT_EQ(to_text(*back), again);
  }
  EXPECT_GT(parsed, 100);
}

}  // namespace
}  // namespace heddle
