#include "graph/text.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/check.h"
#include "graph/generator.h"

namespace heddle::graph {
namespace {

TEST(Text, RandomProgramsComeBack) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    GeneratorOptions options;
    options.sections = seed % 2 == 0;
    options.actions = 6;
    const Program program = random_program(seed, options);
    ASSERT_EQ(problems_of(program), std::vector<std::string>{}) << "seed " << seed;
    const std::string text = to_text(program);
    Program again;
    TextError error;
    ASSERT_TRUE(parse_text(text, again, error))
        << "seed " << seed << ": " << to_string(error) << "\n"
        << text;
    ASSERT_EQ(to_text(again), text) << "seed " << seed;
    ASSERT_EQ(again.objects.size(), program.objects.size());
    for (size_t r = 0; r < program.routines.size(); ++r) {
      ASSERT_EQ(again.routines[r].blocks.size(), program.routines[r].blocks.size());
      for (size_t i = 0; i < program.routines[r].blocks.size(); ++i) {
        const Block &one = program.routines[r].blocks[i], &other = again.routines[r].blocks[i];
        ASSERT_EQ(one.action.kind, other.action.kind);
        ASSERT_EQ(one.action.bits, other.action.bits) << "seed " << seed << "\n" << text;
        ASSERT_EQ(one.action.place.line, other.action.place.line);
        ASSERT_EQ(one.statements.size(), other.statements.size());
        ASSERT_EQ(one.jump.kind, other.jump.kind);
        ASSERT_EQ(one.jump.then, other.jump.then);
      }
    }
  }
}

// What the expression is in the routine that reads it.
uint64_t value_of(const std::string& expression, uint32_t bits) {
  const std::string text = "routine main() {\n  reg x: " + std::to_string(bits) +
                           "\n  x = " + expression + "\n  exit x\n}\n";
  Program program;
  TextError error;
  if (!parse_text(text, program, error)) {
    ADD_FAILURE() << expression << ": " << to_string(error);
    return 0;
  }
  const Routine& routine = program.routines[0];
  const Expr& expr = routine.exprs[index(routine.blocks[0].statements[0].value)];
  EXPECT_EQ(expr.op, Operator::Constant) << expression;
  return expr.constant;
}

TEST(Text, OperatorsBindAsInC) {
  EXPECT_EQ(value_of("1 + 2 * 3", 32), 7u);
  EXPECT_EQ(value_of("(1 + 2) * 3", 32), 9u);
  EXPECT_EQ(value_of("10 - 3 - 2", 32), 5u);
  EXPECT_EQ(value_of("1 << 3 | 1", 8), 9u);
  EXPECT_EQ(value_of("1 & 3 == 3", 1), 1u);
  EXPECT_EQ(value_of("-7 / 2", 32), 0xfffffffdu);
  EXPECT_EQ(value_of("-7 /u 2", 32), 0x7ffffffcu);
  EXPECT_EQ(value_of("-8 >> 1", 8), 0xfcu);
  EXPECT_EQ(value_of("-8 >>u 1", 8), 0x7cu);
  EXPECT_EQ(value_of("-1 < 1", 1), 1u);
  EXPECT_EQ(value_of("-1 <u 1", 1), 0u);
  EXPECT_EQ(value_of("2 > 1 && !(1 >= 2)", 1), 1u);
  EXPECT_EQ(value_of("0 ? 1 : 2 == 2 ? 3 : 4", 32), 3u);
  EXPECT_EQ(value_of("sext(200:8, 32)", 32), 0xffffffc8u);
  EXPECT_EQ(value_of("zext(200:8, 32)", 32), 200u);
  EXPECT_EQ(value_of("trunc(0x1234, 8)", 8), 0x34u);
}

TEST(Text, ElementsOfArrays) {
  Program program;
  TextError error;
  ASSERT_TRUE(
      parse_text("array locks: mutex [3]\narray a: 8 [4] = 1, 2\n"
                 "routine main() {\n  reg i: 8, x: 8\n  mutex-lock locks[i]\n"
                 "  x = load a[i + 1]\n  store a[x], 7\n  mutex-unlock locks[2]\n}\n",
                 program, error))
      << to_string(error);
  EXPECT_EQ(program.objects[0].cells[2].offset, 2 * kSyncBytes);
  EXPECT_EQ(program.objects[1].cells[1].initial, 2u);
  EXPECT_EQ(program.objects[1].cells[2].initial, 0u);
  const std::string text = to_text(program);
  EXPECT_NE(text.find("array locks: mutex [3]\n"), std::string::npos);
  EXPECT_NE(text.find("mutex-lock [&locks[0] + zext(i, 64) * 64]"), std::string::npos) << text;
  EXPECT_NE(text.find("store [&a[0] + zext(x, 64)], 7:8"), std::string::npos) << text;
  EXPECT_NE(text.find("mutex-unlock locks[2]"), std::string::npos) << text;
  Program again;
  ASSERT_TRUE(parse_text(text, again, error)) << to_string(error);
  EXPECT_EQ(to_text(again), text);
}

struct Wrong {
  const char* text;
  const char* error;
};

TEST(Text, SaysWhatIsWrongAndWhere) {
  const Wrong wrongs[] = {
      {"globl x: 8\n", "1:1: 'globl' begins nothing that a program has"},
      {"global x: 65\n", "1:11: a number of bits is not one of 1 to 64"},
      {"global x: 8 = 256\n", "1:15: a value that fits is not one of 0 to 255"},
      {"global x: 8\nglobal x: 8\n", "2:8: there are two objects x"},
      {"routine main() {\n  reg a: 8\n  a = load y\n}\n", "3:12: there is no object y"},
      {"global x: 8\nroutine main() {\n  store x, b\n}\n", "3:12: there is no register b"},
      {"global x: 8\nroutine main() {\n  store x, 5:16\n}\n", "3:12: the value has 16 bits, not 8"},
      {"routine main() {\n  goto there\n}\n", "2:8: there is no block there"},
      {"routine main() {\n  return\n  yield\n}\n", "3:3: nothing leads here: a label is expected"},
      {"mutex m\nroutine main() {\n  mutex-trylock m\n}\n",
       "3:3: mutex-trylock needs a register for its result"},
      {"routine main() {\n  reg a: 8, b: 16\n  a = a + b\n}\n",
       "3:9: the operands of + have 8 and 16 bits"},
      {"routine main() {\n  reg a: 8\n  a = a ` 1\n}\n", "3:9: '`' means nothing here"},
      {"routine main() {\n  t = create nobody\n}\n", "2:3: there is no register t"},
      {"routine main() {\n  create nobody\n}\n", "2:10: there is no routine nobody"},
      {"global x: 8\n", "there is no routine for main"},
      {"routine main() {\n}\n", "2:1: the routine main has no block"},
      {"routine main() {\n  assume 1\n", "3:1: the routine main does not end: '}' is expected"},
  };
  for (const Wrong& wrong : wrongs) {
    Program program;
    TextError error;
    EXPECT_FALSE(parse_text(wrong.text, program, error)) << wrong.text;
    EXPECT_EQ(to_string(error), wrong.error) << wrong.text;
  }
}

TEST(Text, WhatIsNoTextIsRefusedWithoutHarm) {
  // Every beginning of a text, and texts with one character changed.
  const std::string text = to_text(random_program(7));
  for (size_t length = 0; length < text.size(); length += 3) {
    Program program;
    TextError error;
    parse_text(text.substr(0, length), program, error);
    std::string changed = text;
    changed[length] = "x;:{}@\"&9 "[length % 10];
    parse_text(changed, program, error);
  }
}

}  // namespace
}  // namespace heddle::graph
