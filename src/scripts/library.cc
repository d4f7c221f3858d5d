#include "scripts/library.h"

#include <lua.hpp>

namespace heddle {
namespace {

// Of the basic library: files, what takes the text of programs, what catches errors, and what shows
// the order of a table's cells.
constexpr const char* kWithout[] = {"collectgarbage", "dofile", "load", "loadfile", "next",
                                    "pcall",          "print",  "warn", "xpcall"};

// Numbers before strings before booleans; each in its own order.
int rank(lua_State* lua, int at) {
  switch (lua_type(lua, at)) {
    case LUA_TNUMBER:
      return 0;
    case LUA_TSTRING:
      return 1;
    default:
      return 2;
  }
}

int comes_before(lua_State* lua) {
  const int one = rank(lua, 1);
  const int other = rank(lua, 2);
  bool before = one < other;
  if (one == other)
    before = one == 2 ? lua_toboolean(lua, 1) < lua_toboolean(lua, 2)
                      : lua_compare(lua, 1, 2, LUA_OPLT) != 0;
  lua_pushboolean(lua, before ? 1 : 0);
  return 1;
}

// Upvalues: the table, its keys in order, the number of the one visited last.
int next_in_order(lua_State* lua) {
  lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3));
  for (;;) {
    const int type = lua_geti(lua, lua_upvalueindex(2), ++at);
    if (type == LUA_TNIL) return 1;
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) break;  // not taken out meanwhile
    lua_pop(lua, 2);
  }
  lua_pushinteger(lua, at);
  lua_replace(lua, lua_upvalueindex(3));
  return 2;
}

int push_sorted_keys(lua_State* lua, int table) {
  lua_newtable(lua);
  const int keys = lua_gettop(lua);
  lua_Integer count = 0;
  lua_pushnil(lua);
  while (lua_next(lua, table) != 0) {
    lua_pop(lua, 1);
    const int type = lua_type(lua, -1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
      return luaL_error(lua,
                        "pairs: a key is a %s; only numbers, strings and booleans have an order",
                        lua_typename(lua, type));
    lua_pushvalue(lua, -1);
    lua_seti(lua, keys, ++count);
  }
  return keys;
}

int pairs_in_order(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  const int keys = push_sorted_keys(lua, 1);
  lua_getfield(lua, LUA_REGISTRYINDEX, "heddle.sort");
  lua_pushvalue(lua, keys);
  lua_pushcfunction(lua, comes_before);
  lua_call(lua, 2, 0);
  lua_pushvalue(lua, 1);
  lua_pushvalue(lua, keys);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_in_order, 3);
  return 1;
}

void open(lua_State* lua, const char* name, lua_CFunction library) {
  luaL_requiref(lua, name, library, 1);
  lua_pop(lua, 1);
}

// In the table on top of the stack.
void remove_field(lua_State* lua, const char* name) {
  lua_pushnil(lua);
  lua_setfield(lua, -2, name);
}

void open_random(lua_State* lua, uint64_t seed) {
  lua_getglobal(lua, LUA_MATHLIBNAME);
  lua_getfield(lua, -1, "randomseed");
  lua_pushinteger(lua, static_cast<lua_Integer>(seed));
  lua_pushinteger(lua, 0);
  lua_call(lua, 2, 0);
  remove_field(lua, "randomseed");
  lua_pop(lua, 1);
}

}  // namespace

void open_libraries(lua_State* lua, uint64_t seed) {
  open(lua, LUA_GNAME, luaopen_base);
  open(lua, LUA_STRLIBNAME, luaopen_string);
  open(lua, LUA_TABLIBNAME, luaopen_table);
  open(lua, LUA_MATHLIBNAME, luaopen_math);
  open(lua, LUA_UTF8LIBNAME, luaopen_utf8);
  open_random(lua, seed);
  lua_getglobal(lua, LUA_TABLIBNAME);
  lua_getfield(lua, -1, "sort");
  lua_setfield(lua, LUA_REGISTRYINDEX, "heddle.sort");
  lua_getglobal(lua, LUA_STRLIBNAME);
  remove_field(lua, "dump");
  lua_pushglobaltable(lua);
  for (const char* name : kWithout) remove_field(lua, name);
  lua_pushcfunction(lua, pairs_in_order);
  lua_setfield(lua, -2, "pairs");
  lua_settop(lua, 0);
}

}  // namespace heddle
