// A script of the user's in Lua 5.4: loaded, called, and its mistakes as sentences.
//
// A script is a guest of a search that must be repeatable, and that lives inside the tested
// process. So it has neither files nor clocks, and no other chance than the seed: math.random
// begins with it, and pairs() visits keys in their order. Its memory comes from `new`, so where
// that is the arena, its variables survive the process. What a call may take is limited, so that no
// search hangs in one; errors cannot be caught by the script (there is no pcall), so that none is
// missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/script_text.h"
#include "scripts/values.h"

struct lua_State;
struct lua_Debug;

namespace heddle {

class Script {
 public:
  Script(const ScriptText& source, uint64_t seed);
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // The first thing that went wrong, with its line: "x.lua:3: …"; empty if nothing did. No call
  // has an effect after that.
  const std::string& mistake() const { return mistake_; }
  const std::string& name() const { return name_; }
  // Of the call under way.
  ShownSteps& shown() { return shown_; }

  // Makes it a mistake that there is no such function.
  void require(const char* function, const char* why);
  bool has(const char* function);

  // Calls a global function of the script: `give` pushes its arguments and says how many, `take`
  // reads the `results` it returns. False if something went wrong. Errors of Lua leave give and
  // take by a long jump, so these must have nothing to destroy.
  template <class Give, class Take>
  bool call(const char* function, int results, Give give, Take take) {
    struct Both {
      Give give;
      Take take;
    } both{give, take};
    return call(Call{function, results,
                     [](lua_State* lua, void* ends) { return static_cast<Both*>(ends)->give(lua); },
                     [](lua_State* lua, void* ends) { static_cast<Both*>(ends)->take(lua); },
                     &both});
  }

  // From within `take`: the function has returned something it should not have.
  [[noreturn]] static void complain(lua_State* lua, const char* function, const char* what);

 private:
  struct Call {
    const char* function;
    int results;
    int (*give)(lua_State*, void*);
    void (*take)(lua_State*, void*);
    void* ends;
  };

  bool call(const Call& call);
  bool run_protected(int (*function)(lua_State*), const void* argument);
  static int open(lua_State* lua);
  static int run(lua_State* lua);
  static void count(lua_State* lua, lua_Debug* where);
  static void* allocate(void* script, void* block, size_t old_bytes, size_t bytes);

  struct Source {
    const ScriptText& text;
    uint64_t seed;
  };

  const std::string name_;
  std::string mistake_;
  ShownSteps shown_;
  size_t memory_ = 0;   // bytes in use
  uint32_t spent_ = 0;  // by the call under way, in units of instructions
  lua_State* lua_ = nullptr;
};

}  // namespace heddle
