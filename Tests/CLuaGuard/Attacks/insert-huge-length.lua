-- instructions
table.insert(setmetatable({}, {__len = function() return 1 << 60 end, __index = {}, __newindex = function() end}), 1, "x")
