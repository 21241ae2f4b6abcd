-- ok
print(pcall(table.unpack, {}, 1, 1 << 40))
print(pcall(table.unpack, {}, 1, 1e7))
--> false	too many results to unpack
--> false	too many results to unpack
