-- instructions
pcall(table.sort, setmetatable({}, {__len = function() return 1 << 30 end}))
print "went on"
