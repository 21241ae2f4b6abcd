-- instructions
local co = coroutine.create(function() while true do coroutine.yield() end end)
while coroutine.resume(co) do end
