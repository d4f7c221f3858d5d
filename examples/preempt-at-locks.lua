-- A thread that can go on is left only where it is about to take a lock.
local leaves = { ["mutex-lock"] = true, ["mutex-trylock"] = true }

function apply(state, steps)
  local running
  for _, step in ipairs(steps) do
    if step.thread == state.last then running = step end
  end
  if not running or leaves[running.op] then return end
  for _, step in ipairs(steps) do
    step.drop = step.thread ~= state.last
  end
end
