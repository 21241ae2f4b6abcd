-- ok
print((load("return " .. ("("):rep(1000) .. "1" .. (")"):rep(1000))))
print((load("return " .. ("{"):rep(1000) .. ("}"):rep(1000))))
--> nil
--> nil
