-- instructions memory
local t = {}
for i = 1, 15 do t = {t, t, t, t} end
give(t)
