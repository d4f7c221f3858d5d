#include "cli/option_parser.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct Taken {
  std::string value;
  std::vector<std::string> all;
  bool on = false;
};

Result<Arguments> parse(std::vector<std::string> words, Taken& taken) {
  const std::vector<Option> options{
      {"--value", true, "anything but x",
       [&](std::string_view text) {
         taken.value = text;
         return text != "x";
       }},
      {"--many", true, "anything",
       [&](std::string_view text) {
         taken.all.emplace_back(text);
         return true;
       },
       true},
      {"-o", true, "a file", [&](std::string_view text) { return !text.empty(); }},
      make_switch("--on", taken.on)};
  return parse_options(words, "test", options);
}

TEST(OptionParser, TakesValuesInBothFormsAndKeepsTheRestInOrder) {
  Taken taken;
  Result<Arguments> got = parse(
      {"one", "--value", "a", "--many=b", "two", "--many", "c", "--on", "-o", "f", "-"}, taken);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->words, (std::vector<std::string>{"one", "two", "-"}));
  EXPECT_EQ(taken.value, "a");
  EXPECT_EQ(taken.all, (std::vector<std::string>{"b", "c"}));
  EXPECT_TRUE(taken.on);
  EXPECT_FALSE(got->help);
}

TEST(OptionParser, ComplainsInOneSentence) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"--value=x"}, "--value=x is not valid; give anything but x"},
      {{"--value="}, "--value= needs a value; see heddle test --help"},
      {{"--value"}, "--value needs exactly one value; see heddle test --help"},
      {{"--value=a", "--value=b"}, "--value needs exactly one value; see heddle test --help"},
      {{"-o"}, "-o needs exactly one value; see heddle test --help"},
      {{"--other"}, "unknown option --other; see heddle test --help"},
      {{"--on=maybe", "x"}, "see heddle test --help"},
  };
  for (const auto& [words, complaint] : cases) {
    Taken taken;
    Result<Arguments> got = parse(words, taken);
    ASSERT_FALSE(got) << words.front();
    EXPECT_NE(got.error().message.find(complaint), std::string::npos) << got.error().message;
    EXPECT_EQ(got.error().message.find('\n'), std::string::npos) << got.error().message;
  }
}

TEST(OptionParser, HelpComesBeforeTheJudgementOfValues) {
  for (const char* help : {"--help", "-h"}) {
    Taken taken;
    Result<Arguments> got = parse({"--value=x", help}, taken);
    ASSERT_TRUE(got);
    EXPECT_TRUE(got->help);
  }
}

TEST(OptionParser, SomeCommandsTakeNoWords) {
  EXPECT_TRUE(parse_options_only(std::vector<std::string>{}, "test", {}));
  Result<Arguments> got = parse_options_only(std::vector<std::string>{"word"}, "test", {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "heddle test takes no arguments, but got word");
}

}  // namespace
}  // namespace heddle
