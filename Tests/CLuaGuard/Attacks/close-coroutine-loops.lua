-- instructions
local co = coroutine.create(function()
  local c <close> = setmetatable({}, {__close = function() while true do end end})
  coroutine.yield()
end)
coroutine.resume(co)
print(coroutine.close(co))
