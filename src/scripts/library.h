// What of Lua's libraries a script can use.
#pragma once

#include <cstdint>

struct lua_State;

namespace heddle {

// Fills the globals; to be called under Lua's protection.
void open_libraries(lua_State* lua, uint64_t seed);

}  // namespace heddle
