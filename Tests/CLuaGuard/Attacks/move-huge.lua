-- instructions
table.move(setmetatable({}, {__newindex = function() end}), 1, 1 << 60, 2)
