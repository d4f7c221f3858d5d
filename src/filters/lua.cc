// A filter of the user's, as a script in Lua.
//
// Problem. Which successors of a state are of no interest is often known only to whoever wrote the
// program (SCALE, chapter 7, wishes for reductions written by users).
//
// Idea. The script has a function apply(state, steps), which is called for each state that is
// explored, with the steps that lead on from there; those that it sets `drop` of are dropped.
//
//   state.hash, .parent   the happens-before state and the one before it, as numbers
//   state.depth           steps from the initial state; .preemptions in them
//   state.last            the thread that ran last; .step is its step (nil initially)
//   state.threads         the next step of each live thread, with .choices (0: it is blocked)
//   steps[i]              .thread, .choice, .op, .object, .size, .place, .state, .preemptions,
//   .drop dependent(a, b)       whether two of these steps are dependent
//
// Steps that other filters have dropped are not shown. What the script keeps in its variables lasts
// as long as the search; a search that starts over starts the script anew.
//
// Preserves. Nobody knows. So a search in which the script has dropped a step is never complete,
// and its guarantee tells how many it has dropped; one in which it has dropped none has left out
// nothing. Not with super-step, which needs all successors of a super node.
#include <lua.hpp>

#include "filters/registry.h"
#include "scripts/script.h"
#include "scripts/values.h"

namespace heddle {
namespace {

constexpr const char* kApply = "apply";

class Lua final : public Filter {
 public:
  Lua(const ScriptText& source, uint64_t seed) : script_(source, seed) {
    script_.require(kApply, "a filter needs a function apply(state, steps)");
  }

  void apply(Expansion& expansion) override {
    if (!mistake().empty()) return expansion.drop_all();
    const bool fine = script_.call(
        kApply, 0, [&](lua_State* lua) { return give(lua, expansion); },
        [&](lua_State* lua) { take(lua, expansion); });
    if (!fine) expansion.drop_all();
  }

  bool may_hide_more() const override { return dropped_ > 0; }

  std::string left_out() const override {
    if (dropped_ == 0) return {};
    return "but for what lies behind the " + std::to_string(dropped_) +
           (dropped_ == 1 ? " step" : " steps") + " that " + script_.name() + " dropped";
  }

  std::string_view mistake() const override { return script_.mistake(); }

 private:
  // The table of steps stays on the stack below the arguments, to be read by `take`.
  int give(lua_State* lua, const Expansion& expansion) {
    push_steps(lua, expansion);
    lua_insert(lua, -2);  // below the function
    push_state(lua, expansion);
    lua_pushvalue(lua, -3);
    return 2;
  }

  void push_state(lua_State* lua, const Expansion& expansion) {
    const Node& node = expansion.node;
    lua_createtable(lua, 0, 8);
    set_number(lua, "hash", node.state);
    set_number(lua, "depth", node.depth);
    set_number(lua, "preemptions", node.preemptions);
    set_number(lua, "last", index(expansion.configuration.last));
    if (node.parent != nullptr) {
      set_number(lua, "parent", node.parent->state);
      push_step(lua, node.action, script_.shown());
      lua_setfield(lua, -2, "step");
    }
    set_threads(lua, expansion.configuration, script_.shown());
  }

  void push_steps(lua_State* lua, const Expansion& expansion) {
    lua_createtable(lua, static_cast<int>(expansion.successors.size()), 0);
    lua_Integer at = 0;
    for (const Successor& successor : expansion.successors) {
      if (successor.dropped) continue;
      push_step(lua, successor.action, script_.shown());
      set_number(lua, "thread", index(successor.transition.thread));
      set_number(lua, "choice", successor.transition.choice);
      set_number(lua, "state", successor.state);
      set_number(lua, "preemptions", successor.preemptions);
      lua_seti(lua, -2, ++at);
    }
  }

  // A script may have put anything into the table, or taken it out.
  void take(lua_State* lua, Expansion& expansion) {
    lua_Integer at = 0;
    for (Successor& successor : expansion.successors) {
      if (successor.dropped) continue;
      if (lua_geti(lua, -1, ++at) != LUA_TTABLE)
        Script::complain(lua, kApply,
                         "has taken a step out of the list; set its field drop instead");
      lua_getfield(lua, -1, "drop");
      successor.dropped = lua_toboolean(lua, -1) != 0;
      dropped_ += successor.dropped ? 1 : 0;
      lua_pop(lua, 2);
    }
  }

  Script script_;
  uint64_t dropped_ = 0;
};

}  // namespace

std::unique_ptr<Filter> make_lua_filter(uint64_t, const FilterContext& context) {
  return std::make_unique<Lua>(*context.script, context.seed);
}

}  // namespace heddle
