---@meta beacontrace.stats
-- The built-in module `beacontrace.stats`. Generated from Sources/Judge/Plugins/Reference.

local stats = {}

---The middle value; the mean of the two middle ones; nil of an empty list.
---@param list number[]
---@return number?
function stats.median(list) end

---@param list number[]
---@return number? # nil of an empty list
function stats.mean(list) end

---The value below which a share of the list lies.
---@param list number[]
---@param share number 0 to 1
---@return number? # nil of an empty list
function stats.quantile(list, share) end

---The latest values.
---@class beacontrace.window
---@field add fun(self: beacontrace.window, value: number)
---@field values fun(self: beacontrace.window): number[]
---@field count fun(self: beacontrace.window): integer

---@param size integer how many values it keeps
---@return beacontrace.window
function stats.window(size) end

return stats
