-- The threads take turns, one step each; which alternative they take is drawn.
local turn = 0

function choose(state)
  local count = #state.threads
  for i = 0, count - 1 do
    local at = (turn + i) % count
    local thread = state.threads[at + 1]
    if thread.choices > 0 then
      turn = at + 1
      return thread.thread, math.random(0, thread.choices - 1)
    end
  end
end
