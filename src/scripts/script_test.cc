#include "scripts/script.h"

#include <gtest/gtest.h>

#include <lua.hpp>

namespace heddle {
namespace {

// What f() returns, as a text; the mistake if there is one.
std::string f_of(const std::string& text, uint64_t seed = 1) {
  Script script({"x.lua", text}, seed);
  std::string result = "nothing";
  const char* returned = nullptr;
  script.call(
      "f", 1, [](lua_State*) { return 0; },
      [&](lua_State* lua) {
        returned = luaL_tolstring(lua, -1, nullptr);
        lua_setglobal(lua, "kept");
      });
  if (returned != nullptr) result = returned;
  return script.mistake().empty() ? result : script.mistake();
}

std::string mistake_of(const std::string& text) {
  return Script({"x.lua", text}, 1).mistake();
}

TEST(Script, CallsFunctions) {
  EXPECT_EQ(f_of("function f() return 6 * 7 end"), "42");
  EXPECT_EQ(f_of("function f() return ('%s:%.2f'):format('a', 0.5) end"), "a:0.50");
  EXPECT_EQ(
      f_of("local n = 0 for _, v in ipairs{1, 2, 3} do n = n + v end function f() return n end"),
      "6");
  Script script({"x.lua", "function f() end g = 1"}, 1);
  EXPECT_TRUE(script.has("f"));
  EXPECT_FALSE(script.has("g"));
  EXPECT_FALSE(script.has("h"));
}

TEST(Script, TellsTheLineOfAMistake) {
  EXPECT_EQ(mistake_of("x = 1\ny ="), "x.lua:2: unexpected symbol near <eof>");
  EXPECT_EQ(mistake_of("x = 1\nx.y.z = 1"),
            "x.lua:2: attempt to index a number value (global 'x')");
  EXPECT_EQ(f_of("function f()\n\n error('too bad') end"), "x.lua:3: too bad");
  EXPECT_EQ(f_of("function f()\n error({}) end"),
            "x.lua:2: an error was raised with a table in the place of a text");
  EXPECT_EQ(f_of("function f()\n error('too bad', 0) end"), "x.lua:2: too bad");
  EXPECT_EQ(f_of("\nfunction f() return f() + 1 end").substr(0, 23), "x.lua:2: stack overflow");
  EXPECT_EQ(f_of("\nfunction f() dependent(1, 2) end").substr(0, 30),
            "x.lua:2: bad argument #1 to 'd");
  EXPECT_EQ(f_of("function f() return dependent({id = 7}, {}) end"),
            "x.lua:1: bad argument #1 to 'dependent' (no step that this call was given)");
  EXPECT_EQ(mistake_of("\x1bLua"), "x.lua: attempt to load a binary chunk (mode is 't')");
}

TEST(Script, IsStoppedWhenItGoesOnAndOn) {
  EXPECT_EQ(mistake_of("while true do end").substr(0, 27), "x.lua:1: this call goes on ");
  EXPECT_EQ(f_of("function f()\n while true do end end").substr(0, 27),
            "x.lua:2: this call goes on ");
  EXPECT_EQ(f_of("function f() local t = {} while true do t[#t + 1] = {} end end").substr(0, 27),
            f_of("function f() local t = {} for i = 1, 1e9 do t[i] = {t} end end").substr(0, 27));
  EXPECT_EQ(f_of("function f() local s = ('x'):rep(1 << 27) return #(s .. s) end"),
            "x.lua: the script needs more than 256 MB of memory");
}

// Each call has the whole limit for itself.
TEST(Script, MayTakeLongInAll) {
  Script script({"x.lua", "function f() for i = 1, 1e6 do end end"}, 1);
  for (int i = 0; i < 100; ++i)
    script.call(
        "f", 0, [](lua_State*) { return 0; }, [](lua_State*) {});
  EXPECT_EQ(script.mistake(), "");
}

TEST(Script, HasNothingThatDependsOnChance) {
  EXPECT_EQ(
      f_of("function f() local s = '' for k in pairs{z = 1, [2] = 1, a = 1, [1] = 1, [true] = 1,"
           " [0.5] = 1, bb = 1} do s = s .. tostring(k) .. ' ' end return s end"),
      "0.5 1 2 a bb z true ");
  EXPECT_EQ(
      f_of(
          "function f() local t, n = {1, 2, 3, 4}, 0 for k in pairs(t) do t[k + 1] = nil n = n + 1 "
          "end return n end"),
      "2");
  EXPECT_EQ(f_of("function f() for k in pairs{[{}] = 1} do end end"),
            "x.lua:1: pairs: a key is a table; only numbers, strings and booleans have an order");
  const std::string draws = "function f() return math.random(1 << 40) .. ' ' .. math.random() end";
  EXPECT_EQ(f_of(draws, 3), f_of(draws, 3));
  EXPECT_NE(f_of(draws, 3), f_of(draws, 4));
  for (const char* name : {"os", "io", "print", "load", "loadfile", "dofile", "require", "pcall",
                           "xpcall", "next", "collectgarbage", "debug", "coroutine",
                           "math.randomseed", "string.dump", "package", "warn"})
    EXPECT_EQ(f_of("function f() return " + std::string(name) + " end"), "nil") << name;
}

TEST(Script, DoesNothingMoreAfterAMistake) {
  Script script({"x.lua", "n = 0 function f() n = n + 1 error('no') end function g() end"}, 1);
  const auto nothing = [](lua_State*) { return 0; };
  EXPECT_FALSE(script.call("f", 0, nothing, [](lua_State*) {}));
  EXPECT_FALSE(script.call("g", 0, nothing, [](lua_State*) {}));
  EXPECT_EQ(script.mistake(), "x.lua:1: no");
  Script other({"x.lua", "function f() end"}, 1);
  EXPECT_FALSE(
      other.call("f", 1, nothing, [](lua_State* lua) { Script::complain(lua, "f", "is wrong"); }));
  EXPECT_EQ(other.mistake(), "x.lua:1: f is wrong");
}

}  // namespace
}  // namespace heddle
