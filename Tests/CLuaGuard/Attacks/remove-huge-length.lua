-- instructions
table.remove(setmetatable({}, {__len = function() return 1 << 60 end, __newindex = function() end}), 1)
