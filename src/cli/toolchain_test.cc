#include "cli/toolchain.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

CompilerLine read(std::vector<std::string> words) {
  return read_compiler_line(words);
}

TEST(CompilerLine, KnowsWhetherItLinks) {
  EXPECT_TRUE(read({"a.c"}).links);
  EXPECT_TRUE(read({"a.o", "-o", "p"}).links);
  EXPECT_TRUE(read({"-shared", "a.cc", "-o", "liba.so"}).links);
  for (const char* stop : {"-c", "-S", "-E", "-M", "-fsyntax-only"})
    EXPECT_FALSE(read({stop, "a.c"}).links) << stop;
  EXPECT_FALSE(read({"--version"}).links);
  EXPECT_TRUE(read({"a.c", "-static"}).is_static);
  EXPECT_TRUE(read({"-r", "a.o", "b.o", "-o", "c.o"}).is_partial);
}

TEST(CompilerLine, SeparatesCompilingFromLinking) {
  CompilerLine line = read({"-O2", "a.c", "-I", "inc", "b.o", "-lm", "-L", "lib", "-Wl,-z,now",
                            "c.cpp", "-o", "out.c", "-Xlinker", "x.c", "-DN"});
  EXPECT_EQ(line.sources, (std::vector<size_t>{1, 9}));
  EXPECT_EQ(line.compile, (std::vector<std::string>{"-O2", "-I", "inc", "-DN"}));
}

TEST(CompilerLine, BelievesAnExplicitLanguage) {
  EXPECT_EQ(read({"-x", "c", "-"}).sources, (std::vector<size_t>{2}));
  EXPECT_TRUE(read({"-"}).sources.empty());
}

}  // namespace
}  // namespace heddle
