-- instructions
local t = {}
for i = 1, 20000 do t[i] = "::a" .. i .. "::" end
print(load(table.concat(t)))
