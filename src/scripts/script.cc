#include "scripts/script.h"

#include <algorithm>
#include <cstring>
#include <lua.hpp>
#include <new>
#include <string_view>

#include "base/check.h"
#include "scripts/library.h"

namespace heddle {
namespace {

constexpr size_t kMostMemory = size_t{256} << 20;
constexpr int kUnit = 100'000;        // instructions between two looks at how many there were
constexpr uint32_t kMostUnits = 500;  // of one call: some 50 million, less than a second or so

Script* owner(lua_State* lua) {
  return *static_cast<Script**>(lua_getextraspace(lua));
}

// "x.lua:3: ", of the innermost function of the script that is running.
void push_place(lua_State* lua) {
  lua_Debug place{};
  for (int level = 0; lua_getstack(lua, level, &place) != 0; ++level) {
    lua_getinfo(lua, "Sl", &place);
    if (place.currentline <= 0) continue;
    lua_pushfstring(lua, "%s:%d: ", place.short_src, place.currentline);
    return;
  }
  lua_pushfstring(lua, "%s: ", owner(lua)->name().c_str());
}

// Turns whatever was thrown into a text that says where.
int as_text(lua_State* lua) {
  const bool is_text = lua_type(lua, 1) == LUA_TSTRING;
  push_place(lua);
  const std::string_view where = lua_tostring(lua, -1);
  const std::string_view file = where.substr(0, where.find(':'));
  if (is_text && std::string_view(lua_tostring(lua, 1)).starts_with(file)) {
    lua_settop(lua, 1);
    return 1;
  }
  if (is_text)
    lua_pushvalue(lua, 1);
  else
    lua_pushfstring(lua, "an error was raised with a %s in the place of a text",
                    luaL_typename(lua, 1));
  lua_concat(lua, 2);
  return 1;
}

}  // namespace

Script::Script(const ScriptText& source, uint64_t seed) : name_(source.name) {
  lua_ = lua_newstate(allocate, this);
  HEDDLE_CHECK(lua_ != nullptr);
  *static_cast<Script**>(lua_getextraspace(lua_)) = this;
  const Source opened{source, seed};
  run_protected(open, &opened);
}

Script::~Script() {
  lua_close(lua_);
}

void* Script::allocate(void* script, void* block, size_t old_bytes, size_t bytes) {
  auto& self = *static_cast<Script*>(script);
  const size_t before = block == nullptr ? 0 : old_bytes;  // else a kind of object
  void* moved = nullptr;
  if (bytes > 0) {
    if (bytes > before && self.memory_ + (bytes - before) > kMostMemory) return nullptr;
    moved = ::operator new(bytes);
    if (block != nullptr) memcpy(moved, block, std::min(before, bytes));
  }
  ::operator delete(block);
  self.memory_ += bytes - before;
  return moved;
}

// A script that only computes for long would look like a program that hangs.
void Script::count(lua_State* lua, lua_Debug*) {
  if (++owner(lua)->spent_ <= kMostUnits) return;
  luaL_where(lua, 0);
  lua_pushliteral(lua, "this call goes on and on: it was ended after 50 million instructions");
  lua_concat(lua, 2);
  lua_error(lua);
}

bool Script::run_protected(int (*function)(lua_State*), const void* argument) {
  if (!mistake_.empty()) return false;
  spent_ = 0;
  lua_settop(lua_, 0);
  lua_pushcfunction(lua_, as_text);
  lua_pushcfunction(lua_, function);
  lua_pushlightuserdata(lua_, const_cast<void*>(argument));
  const int status = lua_pcall(lua_, 1, 0, 1);
  if (status == LUA_OK) return true;
  const char* what = lua_tostring(lua_, -1);
  mistake_ = status == LUA_ERRMEM ? name_ + ": the script needs more than 256 MB of memory"
             : what != nullptr    ? what
                                  : name_ + ": an error without a text";
  return false;
}

int Script::open(lua_State* lua) {
  const auto& source = *static_cast<const Source*>(lua_touserdata(lua, 1));
  open_libraries(lua, source.seed);
  owner(lua)->shown_.open(lua);
  const std::string& text = source.text.text;
  lua_pushfstring(lua, "@%s", source.text.name.c_str());
  if (luaL_loadbufferx(lua, text.data(), text.size(), lua_tostring(lua, -1), "t") != LUA_OK)
    lua_error(lua);
  lua_sethook(lua, count, LUA_MASKCOUNT, kUnit);
  lua_call(lua, 0, 0);
  return 0;
}

bool Script::call(const Call& call) {
  shown_.begin_call();
  return run_protected(run, &call);
}

int Script::run(lua_State* lua) {
  const auto& call = *static_cast<const Call*>(lua_touserdata(lua, 1));
  lua_getglobal(lua, call.function);
  lua_call(lua, call.give(lua, call.ends), call.results);
  call.take(lua, call.ends);
  return 0;
}

bool Script::has(const char* function) {
  struct Search {
    const char* function;
    bool found = false;
  } search{function};
  run_protected(
      [](lua_State* lua) {
        auto& wanted = *static_cast<Search*>(lua_touserdata(lua, 1));
        wanted.found = lua_getglobal(lua, wanted.function) == LUA_TFUNCTION;
        return 0;
      },
      &search);
  return search.found;
}

void Script::require(const char* function, const char* why) {
  if (!has(function) && mistake_.empty()) mistake_ = name_ + ": " + why;
}

void Script::complain(lua_State* lua, const char* function, const char* what) {
  lua_Debug place{};
  lua_getglobal(lua, function);
  lua_getinfo(lua, ">S", &place);
  luaL_error(lua, "%s:%d: %s %s", place.short_src, place.linedefined, function, what);
  __builtin_unreachable();
}

}  // namespace heddle
