// A strategy of the user's, as a script in Lua.
//
// Problem. Which schedules are worth trying is sometimes known to whoever wrote the program; and a
// strategy in C++ must be compiled into Heddle.
//
// Idea. The script has a function choose(state), which names the thread that takes the next step,
// and which of its alternatives (0 if it says no more):
//
//   state.steps      taken so far in this execution; state.preempts: whether another thread than
//   state.last       the one that ran last would preempt it
//   state.threads    the next step of each live thread: .thread, .op, .object, .size, .place,
//                    .choices (0: it is blocked), .waits (it goes round in a loop)
//   dependent(a, b)  whether two of these steps are dependent
//
// It may have begin(), called before each execution (false: no more of them), and finish(e) after
// each, with e.steps, e.preemptions, e.failed and e.finished. Its variables last as long as the
// search.
//
// Guarantee. None but the number of executions: nobody knows what the script leaves out, and
// whether it takes the same schedule twice. So it counts as a sampler, also where it ends by
// itself.
#include <lua.hpp>
#include <memory>

#include "base/check.h"
#include "scripts/script.h"
#include "scripts/values.h"
#include "strategies/sampler.h"

namespace heddle {
namespace {

constexpr const char* kBegin = "begin";
constexpr const char* kChoose = "choose";
constexpr const char* kFinish = "finish";

class Lua final : public Sampler {
 public:
  Lua(const ScriptText& source, uint64_t seed) : Sampler(StrategyId::lua), script_(source, seed) {
    begins_ = script_.has(kBegin);
    finishes_ = script_.has(kFinish);
    script_.require(kChoose, "a strategy needs a function choose(state)");
  }

  bool begin_execution() override {
    steps_ = 0;
    bool more = true;
    if (begins_)
      script_.call(
          kBegin, 1, [](lua_State*) { return 0; },
          [&](lua_State* lua) { more = lua_isnil(lua, -1) || lua_toboolean(lua, -1) != 0; });
    return more && mistake().empty();
  }

  Transition choose(const Configuration& configuration) override {
    Transition chosen = kAbandon;
    const bool fine = script_.call(
        kChoose, 2, [&](lua_State* lua) { return give(lua, configuration); },
        [&](lua_State* lua) { chosen = chosen_of(lua, configuration); });
    ++steps_;
    return fine ? chosen : kAbandon;
  }

  void end_execution(const ExecutionSummary& summary) override {
    Sampler::end_execution(summary);
    if (!finishes_) return;
    script_.call(
        kFinish, 0,
        [&](lua_State* lua) {
          lua_createtable(lua, 0, 4);
          set_number(lua, "steps", summary.steps);
          set_number(lua, "preemptions", summary.preemptions);
          set_truth(lua, "failed", summary.failed);
          set_truth(lua, "finished", summary.ending == Ending::Finished);
          return 1;
        },
        [](lua_State*) {});
  }

  std::string guarantee() const override {
    return no_guarantee("chosen by the script " + script_.name());
  }

  std::string_view mistake() const override { return script_.mistake(); }

 private:
  int give(lua_State* lua, const Configuration& configuration) {
    lua_createtable(lua, 0, 4);
    set_number(lua, "steps", steps_);
    set_number(lua, "last", index(configuration.last));
    set_truth(lua, "preempts", configuration.switch_preempts());
    set_threads(lua, configuration, script_.shown());
    return 1;
  }

  static Transition chosen_of(lua_State* lua, const Configuration& configuration) {
    int is_thread = 0;
    int is_choice = 0;
    const lua_Integer thread = lua_tointegerx(lua, -2, &is_thread);
    lua_Integer choice = lua_tointegerx(lua, -1, &is_choice);
    if (lua_isnil(lua, -1)) is_choice = 1;
    if (is_thread == 0 || is_choice == 0)
      Script::complain(lua, kChoose, "returned something else than the number of a thread");
    for (const ThreadView& view : configuration.live)
      if (index(view.id) == static_cast<uint64_t>(thread) && choice >= 0 &&
          choice < static_cast<lua_Integer>(view.choices))
        return {view.id, static_cast<uint32_t>(choice)};
    lua_pushfstring(lua, "returned thread %I and choice %I, a step that nobody can take now",
                    thread, choice);
    Script::complain(lua, kChoose, lua_tostring(lua, -1));
  }

  Script script_;
  uint64_t steps_ = 0;
  bool begins_ = false;
  bool finishes_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_lua(const RunOptions& options) {
  HEDDLE_CHECK(options.strategy_script != nullptr);
  return std::make_unique<Lua>(*options.strategy_script, options.seed);
}

}  // namespace heddle
