#include "scripts/values.h"

#include <lua.hpp>

#include "model/dependence.h"

namespace heddle {
namespace {

const Action& step_at(lua_State* lua, int at, const ShownSteps& shown) {
  luaL_checktype(lua, at, LUA_TTABLE);
  lua_getfield(lua, at, "id");
  const Action* step = shown.find(static_cast<uint64_t>(lua_tointeger(lua, -1)));
  lua_pop(lua, 1);
  if (step == nullptr) luaL_argerror(lua, at, "no step that this call was given");
  return *step;
}

}  // namespace

int ShownSteps::dependent(lua_State* lua) {
  const auto& shown = *static_cast<ShownSteps*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const Action& one = step_at(lua, 1, shown);
  const Action& other = step_at(lua, 2, shown);
  lua_pushboolean(lua, heddle::dependent(one, other) ? 1 : 0);
  return 1;
}

void ShownSteps::open(lua_State* lua) {
  lua_pushlightuserdata(lua, this);
  lua_pushcclosure(lua, dependent, 1);
  lua_setglobal(lua, "dependent");
}

void set_number(lua_State* lua, const char* field, uint64_t number) {
  lua_pushinteger(lua, static_cast<lua_Integer>(number));
  lua_setfield(lua, -2, field);
}

void set_truth(lua_State* lua, const char* field, bool truth) {
  lua_pushboolean(lua, truth ? 1 : 0);
  lua_setfield(lua, -2, field);
}

void push_step(lua_State* lua, const Action& action, ShownSteps& shown) {
  lua_createtable(lua, 0, 9);
  const std::string_view op = name(action.op);
  lua_pushlstring(lua, op.data(), op.size());
  lua_setfield(lua, -2, "op");
  set_number(lua, "thread", index(action.thread));
  set_number(lua, "object", value(action.object));
  set_number(lua, "size", action.size);
  set_number(lua, "place", value(action.pc));
  set_number(lua, "id", shown.add(action));
}

void set_threads(lua_State* lua, const Configuration& configuration, ShownSteps& shown) {
  lua_createtable(lua, static_cast<int>(configuration.live.size()), 0);
  lua_Integer at = 0;
  for (const ThreadView& view : configuration.live) {
    push_step(lua, view.next, shown);
    set_number(lua, "thread", index(view.id));
    set_number(lua, "choices", view.choices);
    set_truth(lua, "waits", view.spin != Spin::None);
    lua_seti(lua, -2, ++at);
  }
  lua_setfield(lua, -2, "threads");
}

}  // namespace heddle
