#include "cli/response_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace heddle {
namespace {

using Words = std::vector<std::string>;

TEST(ResponseFile, IsReadAsTheCompilerReadsIt) {
  EXPECT_EQ(words_of("-c  a.c\n\t-o\na.o"), (Words{"-c", "a.c", "-o", "a.o"}));
  EXPECT_EQ(words_of(R"("two words" 'it"s' -DX=\"y\" a\ b "")"),
            (Words{"two words", "it\"s", "-DX=\"y\"", "a b", ""}));
  EXPECT_EQ(words_of("\"no end"), (Words{"no end"}));
  EXPECT_TRUE(words_of(" \n").empty());
}

TEST(ResponseFile, IsReplacedWhereItStands) {
  const std::string outer = testing::TempDir() + "/outer.rsp",
                    inner = testing::TempDir() + "/in.rsp";
  std::ofstream(inner) << "b.c";
  std::ofstream(outer) << "a.c @" << inner << " @" << outer << ".missing";
  EXPECT_EQ(expand_response_files(Words{"-c", "@" + outer, "d.c"}),
            (Words{"-c", "a.c", "b.c", "@" + outer + ".missing", "d.c"}));
  std::ofstream(inner) << "@" << inner;
  EXPECT_EQ(expand_response_files(Words{"@" + inner}), (Words{"@" + inner}));
  EXPECT_EQ(expand_response_files(Words{"@", "@/"}), (Words{"@", "@/"}));
}

}  // namespace
}  // namespace heddle
