-- instructions memory
load(function() return "x = 1 " end)
