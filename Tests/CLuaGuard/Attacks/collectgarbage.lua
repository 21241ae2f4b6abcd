-- ok
for _, o in ipairs {"collect", "stop", "step", "incremental", "generational", "setpause"} do
  print(pcall(collectgarbage, o))
end
print(collectgarbage "count" < 8192)
--> false	collectgarbage takes only "count" here, not "collect"
--> false	collectgarbage takes only "count" here, not "stop"
--> false	collectgarbage takes only "count" here, not "step"
--> false	collectgarbage takes only "count" here, not "incremental"
--> false	collectgarbage takes only "count" here, not "generational"
--> false	collectgarbage takes only "count" here, not "setpause"
--> true
