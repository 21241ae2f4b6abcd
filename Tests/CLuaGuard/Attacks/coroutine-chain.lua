-- instructions
local function spawn() return coroutine.wrap(spawn)() end
while true do
  local co = coroutine.wrap(function() local x = 1 for i = 1, 5 do x = x + i end return x end)
  co()
end
