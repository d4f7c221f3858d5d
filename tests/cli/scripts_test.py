"""Strategies and filters in Lua: what they may do, what their mistakes end in, and what survives the process."""
import json
import unittest

from command import CommandTest

PROGRAM = r"""
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int first = -1;
void* work(void* p) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    if (first < 0) first = *(int*)p;
    pthread_mutex_unlock(&m);
  }
  return p;
}
int main(void) {
  pthread_t t[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &number[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef DIES
  if (first == 1) kill(getpid(), SIGKILL);
#endif
  return 0;
}
"""
COUNTS = """
local executions, steps, sum = 0, 0, 0
function begin()
  executions = executions + 1
  return executions <= 12
end
function choose(state)
  steps = steps + 1
  local able = {}
  for _, t in ipairs(state.threads) do if t.choices > 0 then able[#able + 1] = t.thread end end
  local chosen = able[math.random(#able)]
  sum = (sum * 31 + chosen + 1) % 1000000007
  return chosen
end
function finish(e)
  if executions == 12 then error(executions .. ' executions, ' .. steps .. ' steps, ' .. sum) end
end
"""
# A program with a Lua of its own.
LUA = r"""
#include <assert.h>
#include <pthread.h>
#include <lua5.4/lua.hpp>
static void* work(void* p) {
  lua_State* lua = luaL_newstate();
  luaL_openlibs(lua);
  assert(luaL_dostring(lua, "return select('#', os.time(), pcall(error, 'x'), next({}))") == 0);
  assert(lua_tointeger(lua, -1) == 3);
  lua_close(lua);
  return p;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
}
"""
KEEPS_ALL = "function apply(state, steps) end"
FIRST = """
function choose(state)
  for _, t in ipairs(state.threads) do if t.choices > 0 then return t.thread end end
end
"""


class Scripts(CommandTest):
    def check(self, *options, program=PROGRAM, name="program.c"):
        return self.heddle("check", "--json", *options, self.file(name, program))

    def strategy(self, text, *options, **more):
        return self.check("--strategy=lua:" + self.file("s.lua", text), *options, **more)

    def filter(self, text, *options, strategy="dfs"):
        return self.check(f"--strategy={strategy}", "--filter=lua:" + self.file("f.lua", text), *options)

    def refused(self, done, *parts):
        self.status(done, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_mistakes_have_their_line(self):
        for isolation in ("--isolation=reset", "--isolation=fork"):
            self.refused(self.strategy("function choose(s)\n return nobody.there end", isolation),
                         "s.lua:2: attempt to index a nil value (global 'nobody')")
            self.refused(self.filter("function apply(s)\n\n if s.depth == 3 then error('deep') end end", isolation),
                         "f.lua:3: deep")
        self.refused(self.strategy("function choose(s) return 7 end"), "s.lua:1: choose returned thread 7")
        self.refused(self.strategy("function choose(s)"), "s.lua:1: 'end' expected")
        self.refused(self.strategy("function chose(s) end"), "a strategy needs a function choose(state)")
        self.refused(self.filter("x = 1\ny()"), "f.lua:2: attempt to call a nil value (global 'y')")
        self.refused(self.strategy("function choose(s)\n while true do end end"), "s.lua:2: this call goes on")

    def test_files_and_combinations(self):
        self.refused(self.check("--strategy=lua:no/such.lua"), "cannot read the script in no/such.lua")
        self.refused(self.check("--strategy=lua"), "--strategy=lua:FILE")
        self.refused(self.check("--strategy=dfs", "--filter=seen,lua"), "--filter=lua:FILE")
        self.refused(self.check("--strategy=lua:."), "cannot read the script in .")
        big = self.file("big.lua", "-- " + "x" * (512 << 10))
        self.refused(self.check(f"--strategy=lua:{big}"), "too long")
        self.refused(self.filter(KEEPS_ALL, strategy="optimal-dpor"), "filters cannot be combined")
        self.refused(self.check("--strategy=dfs", "--filter=super-step,lua:" + self.file("f.lua", KEEPS_ALL)),
                     "super-step and lua cannot be combined")
        self.refused(self.strategy(FIRST, "--bound=2"), "--bound has no meaning")

    def test_only_a_filter_that_drops_nothing_leaves_a_pass(self):
        done = self.filter(KEEPS_ALL)
        self.status(done, 0)
        self.assertEqual(json.loads(done.stdout)["guarantee"], "all final states, deadlocks and failures")
        plain = json.loads(self.check("--strategy=dfs", "--order=breadth").stdout)
        self.assertEqual(json.loads(self.filter(KEEPS_ALL, "--order=breadth").stdout)["executions"],
                         plain["executions"])
        some = "function apply(state, steps) if state.depth > 8 then steps[1].drop = true end end"
        for strategy in ("dfs", "icb"):
            done = self.filter(some, strategy=strategy)
            self.status(done, 3)
            self.assertRegex(json.loads(done.stdout)["guarantee"], r"but for what lies behind the \d+ steps that .*f.lua")
        done = self.strategy(FIRST, "--max-executions=3")
        self.status(done, 3)
        self.assertIn("3 executions chosen by the script", json.loads(done.stdout)["guarantee"])

    def test_variables_survive_what_the_search_survives(self):
        """Steps and draws are counted over all executions, whatever process makes them."""
        told = {self.strategy(COUNTS, *options, "--keep-going", "--ignore=death").stderr
                for options in ([], ["--isolation=fork"], ["--checkpoints=always"], ["-DDIES"],
                                ["-DDIES", "--isolation=fork"])}
        self.assertEqual(len(told), 1, told)
        self.assertRegex(told.pop(), r"s.lua:16: 12 executions, \d+ steps, \d+")
        self.status(self.check("-DDIES"), 1)

    def test_same_seed_same_schedules(self):
        steps = [self.strategy(COUNTS, f"--seed={seed}").stderr for seed in (1, 1, 2)]
        self.assertEqual(steps[0], steps[1])
        self.assertNotEqual(steps[0], steps[2])

    def test_programs_may_have_a_lua_of_their_own(self):
        words = ("-Wl,-l:liblua5.4.so.0", "--max-executions=20")
        done = self.strategy(FIRST, *words, program=LUA, name="own.cc")
        self.status(done, 3)
        self.assertEqual(json.loads(done.stdout)["findings"], [])


if __name__ == "__main__":
    unittest.main()
