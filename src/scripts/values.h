// What a script sees of a program: configurations and steps as tables. All of it is called under
// Lua's protection (script.h).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/configuration.h"

struct lua_State;

namespace heddle {

// The steps that the call under way has shown to the script, for `dependent(a, b)`: they are known
// by numbers that are never given twice.
class ShownSteps {
 public:
  // Gives the script the function; this object must outlive it.
  void open(lua_State* lua);
  void begin_call() {
    first_ += steps_.size();
    steps_.clear();
  }
  uint64_t add(const Action& action) {
    steps_.push_back(action);
    return first_ + steps_.size() - 1;
  }
  const Action* find(uint64_t id) const {
    return id >= first_ && id - first_ < steps_.size() ? &steps_[id - first_] : nullptr;
  }

 private:
  static int dependent(lua_State* lua);

  std::vector<Action> steps_;
  uint64_t first_ = 1;
};

// Pushes a table with what is known of a step: thread, op, object, size, place, id.
void push_step(lua_State* lua, const Action& action, ShownSteps& shown);

// Sets fields of the table on top of the stack.
void set_number(lua_State* lua, const char* field, uint64_t number);
void set_truth(lua_State* lua, const char* field, bool truth);

// The field `threads`: the next steps of all live threads, each with `choices` and `waits`.
void set_threads(lua_State* lua, const Configuration& configuration, ShownSteps& shown);

}  // namespace heddle
