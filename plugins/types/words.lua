---@meta beacontrace.words
-- The built-in module `beacontrace.words`. Generated from Sources/Judge/Plugins/Reference.

local words = {}

---`45 s`, `3 min 20 s`, `2 h 05 min`, `6 d 23 h`.
---@param seconds number
---@return string
function words.duration(seconds) end

---`08:19:59 UTC`, with its date before it where that is not the date of `beside`.
---@param time number seconds since 1970
---@param beside? number a time that stands beside it
---@return string
function words.clock(time, beside) end

return words
