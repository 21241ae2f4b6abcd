-- instructions
local a <close> = setmetatable({}, {__close = pcall, __call = function() while true do end end})
local b <close> = setmetatable({}, {__close = coroutine.wrap(function() while true do end end)})
local c <close> = setmetatable({}, {__close = table.concat, __len = function() while true do end end})
while true do end
