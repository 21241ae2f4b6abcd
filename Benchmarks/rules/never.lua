-- Filters that nothing in the capture matches.
on("sighting", { address = "00:00:00:00:00:01" }, function(s) print(s.id) end)
on("sighting", { kind = "eddystone-url" }, function(s) print(s.id) end)
on("telemetry", function(s) print(s.battery_mv) end)
on("exit", { grade = "deaf" }, function(e) print(e.id) end)
