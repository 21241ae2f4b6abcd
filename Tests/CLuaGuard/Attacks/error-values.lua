-- error
print(pcall(error))
print(pcall(error, nil))
print(pcall(error, {1}))
print((pcall(error, setmetatable({}, {__tostring = function() error "no" end}))))
error(setmetatable({}, {__tostring = function() return "told" end}))
--> false	nil
--> false	nil
--> false	table: 0x00000001
--> false
