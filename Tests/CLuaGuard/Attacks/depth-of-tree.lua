-- ok
local t = {}
local u = t
for i = 1, 40 do u.x = {} u = u.x end
print((pcall(give, t)))
local c = {} c.a = {b = c}
print(pcall(give, c))
print(pcall(give, {{f = coroutine.create(print)}}))
print(pcall(give, {[{}] = 1}))
print(pcall(give, coroutine.create(print)))
--> false
--> false	attack.lua:7: a.b: the table contains itself
--> false	attack.lua:8: [1].f: a coroutine cannot be handed over
--> false	attack.lua:9: only numbers, strings and booleans can be keys here
--> false	attack.lua:10: a coroutine cannot be handed over
