-- ok
print(xpcall(error, function(m) error(m) end, "x"))
print(xpcall(error, error, "x"))
--> false	error in error handling
--> false	error in error handling
