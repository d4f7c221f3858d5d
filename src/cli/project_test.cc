#include "cli/project.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kExample = R"(
options = ["--strategy=icb", "--bound=2"]
suppressions = "known.supp"

[[target]]
sources = ["bank.c", "more.c"]
flags = ["-DN=3"]
options = ["--bound=1"]
arguments = ["x"]

[[target]]
name = "queue"
program = "build/queue_test"
)";

TEST(Project, IsRead) {
  Result<Project> project = parse_project(kExample, "/home/me/.heddle.toml");
  ASSERT_TRUE(project) << project.error().message;
  EXPECT_EQ(project->options,
            (Strings{"--strategy=icb", "--bound=2", "--suppressions=/home/me/known.supp"}));
  ASSERT_EQ(project->targets.size(), 2u);
  EXPECT_EQ(project->targets[0].name, "bank");
  EXPECT_EQ(project->targets[1].inputs, (Strings{"build/queue_test"}));
  const Strings given = {"--strategy=dfs"};
  EXPECT_EQ(words_for(*project, project->targets[0], given),
            (Strings{"--suppressions=/home/me/known.supp", "--bound=1", "--strategy=dfs", "-DN=3",
                     "bank.c", "more.c", "--", "x"}));
}

TEST(Project, MistakesAreNamedWithTheirLine) {
  for (const auto& [text, says] : {
           std::pair{"options = 3", "f:1: options must be a list of texts"},
           std::pair{"\noptions = [3]", "f:2: options must be a list of texts"},
           std::pair{"optoins = []", "f:1: there is no optoins; known are: options"},
           std::pair{"[target]\nname = 'x'", "f:1: target is written as [[target]]"},
           std::pair{"[[target]]\nname = 'x'", "a target needs sources"},
           std::pair{"options = [", "f:1: "},
           std::pair{"[[= 'x'", "f: not TOML"},
       }) {
    Result<Project> project = parse_project(text, "f");
    ASSERT_FALSE(project) << text;
    EXPECT_NE(project.error().message.find(says), std::string::npos) << project.error().message;
  }
}

TEST(Project, OptionsThatAreGivenCountMore) {
  const Strings defaults = {"--time=3", "--keep-going"};
  EXPECT_EQ(with_defaults(defaults, Strings{"a.c", "--time=4", "--", "--keep-going"}),
            (Strings{"--keep-going", "a.c", "--time=4", "--", "--keep-going"}));
}

}  // namespace
}  // namespace heddle
