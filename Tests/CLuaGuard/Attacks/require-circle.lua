-- ok
print(require "plain".name, require "plain" == require "plain")
print(pcall(require, "circle"))
print(pcall(require, "broken"))
print(pcall(require, "broken"))
print(pcall(require, "text"))
print(pcall(require, "none"))
--> plain	true
--> false	module.lua:1: module 'circle' requires itself
--> false	module.lua:2: attempt to index a nil value (local 't')
--> false	module.lua:2: attempt to index a nil value (local 't')
--> false	module.lua:1: syntax error near 'is'
--> false	attack.lua:7: there is no module 'none'
