#include "cli/check_options.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Result<CheckRequest> parse(std::vector<std::string> words) {
  return parse_check(words);
}

TEST(CheckOptions, TellsCompilerFlagsOptionsAndArgumentsApart) {
  Result<CheckRequest> request =
      parse({"a.c", "-DN=3", "-I", "inc", "--strategy=dfs", "b.cc", "-O2", "-std=c11", "--time",
             "2.5", "-lm", "-pthread", "--keep-going", "--", "-x", "--json"});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->inputs, (std::vector<std::string>{"a.c", "b.cc"}));
  EXPECT_EQ(request->compile_flags,
            (std::vector<std::string>{"-DN=3", "-I", "inc", "-O2", "-std=c11", "-lm", "-pthread"}));
  EXPECT_EQ(request->arguments, (std::vector<std::string>{"-x", "--json"}));
  EXPECT_STREQ(request->options.run.strategy, "dfs");
  EXPECT_EQ(request->options.time_limit, 2.5);
  EXPECT_TRUE(request->options.run.keep_going);
  EXPECT_TRUE(request->options.output.outputs.empty());
}

TEST(CheckOptions, PassesHarmlessFlagsOnToTheCompiler) {
  const std::vector<std::string> flags = {
      "-w",          "-pipe",         "-ansi",       "-pedantic",  "-pedantic-errors",
      "-Wall",       "-Wextra",       "-Wno-unused", "-Wl,-z,now", "-fPIC",
      "-fno-inline", "-march=native", "-msse4.2",    "-isystem",   "inc",
      "-isysteminc", "-include",      "config.h",    "-imacros",   "m.h",
      "-idirafter",  "inc",           "-U",          "X",          "-UY",
      "--param",     "max-x=3",       "--param=y=1", "-std=gnu11", "-ggdb3",
      "-rdynamic",   "-no-pie",       "-Xlinker",    "-zlazy",     "-nostdinc",
      "-trigraphs"};
  std::vector<std::string> words = flags;
  words.insert(words.begin(), "a.c");
  words.emplace_back("b.c");
  Result<CheckRequest> request = parse(words);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->compile_flags, flags);
  EXPECT_EQ(request->inputs, (std::vector<std::string>{"a.c", "b.c"}));
  for (const char* bad : {"-c", "-E", "-S", "-shared", "-static", "-x", "-wrong"})
    EXPECT_FALSE(parse({"a.c", bad})) << bad;
}

TEST(CheckOptions, KnowsTheKindsOfFindings) {
  Result<CheckRequest> request = parse({"p", "--ignore=deadlock,race,leak"});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(list_of(request->options.run.ignored), "deadlock, data-race, leak");
  EXPECT_EQ(request->options.run.races, Races::Off);
  EXPECT_FALSE(request->options.run.leaks);
  Result<CheckRequest> bad = parse({"p", "--ignore=deadlocks"});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("deadlock assertion abort"), std::string::npos)
      << bad.error().message;
  EXPECT_FALSE(parse({"p", "--max-threads=0"}));
  EXPECT_FALSE(parse({"p", "--max-threads=4096"}));
  EXPECT_EQ(parse({"p", "--memory-limit=3"})->options.memory_limit, 3u << 20);
  EXPECT_EQ(parse({"p", "--memory-limit=3M"})->options.memory_limit, 3u << 20);
  EXPECT_EQ(parse({"p", "--memory-limit=56G"})->options.memory_limit, uint64_t{56} << 30);
  EXPECT_FALSE(parse({"p", "--memory-limit=57G"}));
  EXPECT_FALSE(parse({"p", "--minimise=-1"}));
}

TEST(CheckOptions, DefaultsToThePortfolioWithoutLimits) {
  Result<CheckRequest> request = parse({"./p"});
  ASSERT_TRUE(request);
  EXPECT_STREQ(request->options.run.strategy, "portfolio");
  EXPECT_EQ(request->options.run.bound, -1);
  EXPECT_EQ(request->options.run.max_executions, 0u);
}

TEST(CheckOptions, SamplersGetALimit) {
  EXPECT_EQ(parse({"p", "--strategy=pct"})->options.run.max_executions, 10'000u);
  EXPECT_EQ(parse({"p", "--strategy=random", "--time=1"})->options.run.max_executions, 0u);
  EXPECT_EQ(parse({"p", "--strategy=pct", "--max-executions=5"})->options.run.max_executions, 5u);
}

TEST(CheckOptions, MistakesAreNamed) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "name a program"},
      {{"p", "--bogus"}, "unknown option --bogus"},
      {{"p", "-q"}, "unknown option -q"},
      {{"--strategy=", "p"}, "--strategy= needs a value"},
      {{"p", "--output=xml"}, "--output=xml is not valid; give text, json"},
      {{"p", "--output=json:"}, "is not valid"},
      {{"p", "--output=json", "--output=dot"}, "cannot both go to standard output"},
      {{"p", "--output=json:a", "--output=dot:a"}, "cannot both go to a"},
      {{"p", "--bound"}, "--bound needs exactly one value"},
      {{"p", "--bound=-1"}, "--bound=-1 is not valid"},
      {{"p", "--bound=2x"}, "give a number from 0"},
      {{"p", "--max-executions=0"}, "give a number from 1"},
      {{"p", "--seed=99999999999999999999999"}, "not valid"},
      {{"p", "--time=0"}, "seconds above 0"},
      {{"p", "--time=nan"}, "seconds above 0"},
      {{"p", "--visible=some"}, "give sync or all"},
      {{"p", "--isolation=vm"}, "give reset or fork"},
      {{"p", "--cc=tcc"}, "give gcc or clang"},
      {{"p", "--strategy=best"}, "there is no strategy"},
      {{"p", "--strategy=dfs", "--bound=2"}, "no meaning"},
      {{"p", "--strategy=dfs", "--filter=sean"}, "there is no filter 'sean'"},
      {{"p", "--strategy=dfs", "--filter=super-step,local-cycles"}, "cannot be combined"},
      {{"p", "--strategy=icb", "--filter=super-step"}, "cannot be combined with icb"},
      {{"p", "--strategy=pct", "--filter=seen"}, "they are for icb and dfs"},
      {{"p", "--order=random"}, "for --strategy=dfs only"},
      {{"p", "--order=best"}, "give depth, breadth or random"},
      {{"p", "--equivalence=none"}, "give mazurkiewicz or reads-from"},
      {{"p", "--strategy=icb", "--equivalence=reads-from"}, "for portfolio and optimal-dpor"},
      {{"p", "--equivalence=reads-from", "--bound=2"}, "cannot be combined with a bound"},
      {{"p", "--exact-states"}, "exact states are for the filter seen only"},
  };
  for (const auto& [words, expected] : cases) {
    Result<CheckRequest> request = parse(words);
    ASSERT_FALSE(request) << expected;
    EXPECT_NE(request.error().message.find(expected), std::string::npos) << request.error().message;
  }
}

TEST(CheckOptions, FiltersAreHandedOn) {
  Result<CheckRequest> request =
      parse({"p", "--strategy=dfs", "--filter=seen,depth:9", "--order=breadth", "--exact-states"});
  ASSERT_TRUE(request) << request.error().message;
  const RunOptions& run = request->options.run;
  EXPECT_STREQ(run.filters, "seen,depth:9");
  EXPECT_EQ(run.order, PickOrder::Breadth);
  EXPECT_TRUE(run.exact_states);
}

TEST(CheckOptions, SeveralOutputs) {
  Result<CheckRequest> request = parse(
      {"--output=json:a b.json", "p", "--output=sarif", "--output", "dot:x:y.dot", "--quiet"});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->inputs, std::vector<std::string>{"p"});
  const std::vector<Output>& outputs = request->options.output.outputs;
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].kind, OutputKind::Json);
  EXPECT_EQ(outputs[0].file, "a b.json");
  EXPECT_EQ(outputs[1].file, "");
  EXPECT_EQ(outputs[2].file, "x:y.dot");
  EXPECT_TRUE(request->options.output.quiet);
  EXPECT_EQ(parse({"p", "--json"})->options.output.outputs.at(0).kind, OutputKind::Json);
}

TEST(CheckOptions, TakesEveryWordThatItNames) {
  size_t tried = 0;
  for (const OptionInfo& option : check_option_list())
    for (const std::string& word : option.words) {
      Result<CheckRequest> request = parse({"p", "--" + option.name + "=" + word});
      const std::string complaint = request ? "" : request.error().message;
      EXPECT_EQ(complaint.find("is not valid"), std::string::npos) << complaint;
      ++tried;
    }
  EXPECT_GT(tried, 50u);
}

TEST(CheckOptions, HelpNamesEveryOption) {
  std::string help = check_help();
  for (const char* option :
       {"--strategy",  "--bound",    "--visible",   "--isolation",   "--max-executions",
        "--max-steps", "--time",     "--seed",      "--pct-depth",   "--keep-going",
        "--json",      "--watchdog", "--trace-dir", "--quiet",       "--output",
        "--cc",        "--filter",   "--order",     "--equivalence", "--exact-states"})
    EXPECT_NE(help.find(option), std::string::npos) << option;
  EXPECT_TRUE(parse({"--help"}));
}

}  // namespace
}  // namespace heddle
