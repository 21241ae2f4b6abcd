-- error
error(setmetatable({}, {__tostring = function() error "no" end}))
