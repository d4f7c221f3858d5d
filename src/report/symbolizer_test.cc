#include "report/symbolizer.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "report/narrator.h"
#include "report/report_test_fixtures.h"

namespace heddle {
namespace {

TEST(Symbolizer, FindsVariablesByTheirNames) {
  Symbolizer symbolizer(fixtures::own_modules());
  for (const char* name : {"forks[2].handle", "meals"}) {
    std::string full = std::string("heddle::fixtures::kitchen.") + name;
    Address found = symbolizer.address_of(full);
    ASSERT_NE(found, kNoAddress) << full;
    EXPECT_EQ(symbolizer.variable_at(found), full);
  }
  EXPECT_EQ(symbolizer.address_of("heddle::fixtures::pantry"), kNoAddress);
}

TEST(Symbolizer, ReadsTheSameModulesOnce) {
  const Address pc{fixtures::outer_function()};
  std::vector<Module> modules = fixtures::own_modules();
  Symbolizer one(modules), same(modules);
  EXPECT_EQ(&one.frames_before(pc), &same.frames_before(pc));
  for (Module& module : modules) module.base += 4096;
  Symbolizer moved(modules);
  EXPECT_NE(&one.frames_before(pc), &moved.frames_before(pc));
  EXPECT_EQ(moved.frames_before(Address{value(pc) + 4096}).back().function,
            one.frames_before(pc).back().function);
}

TEST(Symbolizer, ShowsInlinedFrames) {
  Symbolizer symbolizer(fixtures::own_modules());
  std::vector<SourceFrame> frames = symbolizer.frames_before(Address{fixtures::outer_function()});
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_NE(frames[0].function.find("inlined_caller"), std::string::npos) << frames[0].function;
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_TRUE(frames[0].file.ends_with("report/report_fixtures_test.cc")) << frames[0].file;
  EXPECT_EQ(frames[1].function, "heddle::fixtures::outer_function()");
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_GT(frames[1].line, frames[0].line);  // the caller stands below in the file
  EXPECT_FALSE(frames[0].of_system);
}

TEST(Symbolizer, KnowsSystemLibraries) {
  Symbolizer symbolizer(fixtures::own_modules());
  void* in_libc = dlsym(RTLD_DEFAULT, "qsort");
  ASSERT_NE(in_libc, nullptr);
  const std::vector<SourceFrame>& frames = symbolizer.frames_at(address_of(in_libc));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(frames[0].of_system);
  EXPECT_NE(frames[0].function.find("qsort"), std::string::npos) << frames[0].function;
}

TEST(Symbolizer, NamesPartsOfGlobals) {
  Symbolizer symbolizer(fixtures::own_modules());
  auto name_of = [&](const void* p) { return symbolizer.variable_at(address_of(p)); };
  const std::string space = "heddle::fixtures::";
  EXPECT_EQ(name_of(&fixtures::kitchen), space + "kitchen.meals");
  EXPECT_EQ(name_of(&fixtures::kitchen.forks[2].handle), space + "kitchen.forks[2].handle");
  EXPECT_EQ(name_of(&fixtures::kitchen.forks[1].label[3]), space + "kitchen.forks[1].label[3]");
  EXPECT_EQ(name_of(&fixtures::grid[1][2]), space + "grid[1][2]");
  EXPECT_EQ(name_of(reinterpret_cast<char*>(&fixtures::m) + 1), space + "m+1");
  int local = 0;
  EXPECT_EQ(name_of(&local), "");
  EXPECT_EQ(name_of(nullptr), "");
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool kMovesLocals = true;
#else
constexpr bool kMovesLocals = false;
#endif

TEST(Symbolizer, NamesVariablesOfFunctions) {
  if (kMovesLocals) GTEST_SKIP() << "a sanitiser moves local variables";
  Symbolizer symbolizer(fixtures::own_modules());
  const fixtures::Visit visit = fixtures::function_with_locals();
  auto name_of = [&](Address place) {
    LocalPlace local = symbolizer.local_at(place, visit.frame);
    EXPECT_EQ(local.function, "heddle::fixtures::function_with_locals()");
    return local.variable;
  };
  EXPECT_EQ(name_of(visit.meals), "borrowed.meals");
  EXPECT_EQ(name_of(visit.label), "borrowed.forks[1].label[2]");
  EXPECT_EQ(name_of(visit.number), "number");
  EXPECT_EQ(name_of(Address{value(visit.frame.end) - 8}), "");  // the return address
  EXPECT_EQ(symbolizer.local_at(visit.meals, {}).function, "");
}

TEST(Symbolizer, SaysWhoseVariableAnObjectIs) {
  if (kMovesLocals) GTEST_SKIP() << "a sanitiser moves local variables";
  const fixtures::Visit visit = fixtures::function_with_locals();
  Trace trace;
  trace.modules = fixtures::own_modules();
  trace.objects = {{visit.number, "on the stack of thread 3", "", visit.frame}};
  trace.failure.object = visit.number;
  Narrator narrator(trace);
  EXPECT_EQ(narrator.object_name(visit.number), "number");
  EXPECT_EQ(narrator.location(visit.number),
            "variable `number` of `heddle::fixtures::function_with_locals` (frame of thread 3)");
}

TEST(Symbolizer, SurvivesNonsense) {
  Symbolizer symbolizer({{"/no/such/file", 0x1000, 0x1000, 0x2000}, {"linux-vdso.so.1", 0, 0, 0}});
  EXPECT_TRUE(symbolizer.frames_before(Address{0x1234}).empty());
  EXPECT_EQ(symbolizer.variable_at(Address{0x1234}), "");
  EXPECT_EQ(symbolizer.function_at(kNoAddress), "");
}

TEST(Demangle, LeavesShortNamesAlone) {
  EXPECT_EQ(demangled("m"), "m");
  EXPECT_EQ(demangled("_ZN1a1bEv"), "a::b()");
}

TEST(Demangle, LeavesOutTagsOfTheLibrary) {
  EXPECT_EQ(demangled("_Z4agesB5cxx11"), "ages");
  EXPECT_EQ(demangled("_ZN1a1bB5cxx11Ev"), "a::b()");
}

}  // namespace
}  // namespace heddle
