-- ok
local function make(n)
  local co = coroutine.create(function()
    local c <close> = setmetatable({}, {__close = function() coroutine.close(make(n + 1)) end})
    coroutine.yield()
  end)
  coroutine.resume(co)
  return co
end
print((pcall(coroutine.close, make(1))))
--> true
