-- instructions
local ok = coroutine.resume(coroutine.create(function() while true do end end))
print("went on", ok)
