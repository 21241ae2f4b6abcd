# Tables out of what was noted. Lines: group, name, wall seconds, processor seconds, peak KiB; of
# Stages also records and allocations behind them. Set from outside: small, large (names of the
# lengths), small_frames, frames (of large), lines (of sightings ndjson, large), rounds, missing.

{
  group = FILENAME == "stages.tsv" ? "stages " $1 : $1
  key = group SUBSEP $2
  if (!(key in runs)) order[group] = order[group] (order[group] == "" ? "" : "\t") $2
  run = ++runs[key]
  wall[key, run] = $3
  processor[key, run] = $4
  if ($5 > peak[key]) peak[key] = $5
  records[key] = $6
  allocations[key] = $7
}

# Of the runs of one row: sorted into `sorted`, and their middle.
function median(values, key,   i, j, v) {
  for (i = 1; i <= runs[key]; i++) {
    v = values[key, i] + 0
    for (j = i - 1; j >= 1 && sorted[j] > v; j--) sorted[j + 1] = sorted[j]
    sorted[j + 1] = v
  }
  return sorted[int((runs[key] + 1) / 2)]
}

function time(group, name) { return median(wall, group SUBSEP name) }
function has(group, name) { return (group SUBSEP name) in runs }
function memory(group, name) { return peak[group SUBSEP name] * 1024 / 1e6 }

# Text as wide as `width` characters, at the right where that is negative. In the C locale a character
# is a byte; those that only go on with one are not counted.
function pad(text, width,   counted, blank) {
  counted = text
  gsub(/[\200-\277]/, "", counted)
  blank = (width < 0 ? -width : width) - length(counted)
  blank = blank > 0 ? sprintf("%" blank "s", "") : ""
  return width < 0 ? blank text : text blank
}

# `middle | fastest–slowest` of the seconds.
function spread(group, name,   middle) {
  middle = time(group, name)
  return sprintf("%7.3f | ", middle) \
    pad(sprintf("%.3f–%.3f", sorted[1], sorted[runs[group, name]]), -15)
}

function ratio(group, name) {
  if (!has(group, "yardstick")) return "      -"
  return sprintf("%7.2f", time(group, name) / time(group, "yardstick"))
}

function programs(group, frames,   names, n, i) {
  print "|                        | seconds | range           | M frames/s | × yardst. | MB   |"
  print "|------------------------|--------:|----------------:|-----------:|----------:|-----:|"
  n = split(order[group], names, "\t")
  for (i = 1; i <= n; i++)
    printf "| %-22s | %s | %10.2f | %s   | %4.0f |\n", names[i], spread(group, names[i]),
      frames / time(group, names[i]) / 1e6, ratio(group, names[i]), memory(group, names[i])
}

function stages(group,   names, n, i, key) {
  print "|           | seconds | range           | thread s | ns/frame | allocations | MB   |"
  print "|-----------|--------:|----------------:|---------:|---------:|------------:|-----:|"
  n = split(order[group], names, "\t")
  for (i = 1; i <= n; i++) {
    key = group SUBSEP names[i]
    printf "| %-9s | %s | %8.3f | %8.1f | %11d | %4.0f |\n", names[i], spread(group, names[i]),
      median(processor, key), median(processor, key) / records[key] * 1e9, allocations[key],
      memory(group, names[i])
  }
}

function sites(what,   names, n, i) {
  print "| identities | seconds | range           | ns/frame | × yardstick | peak MB |"
  print "|-----------:|--------:|----------------:|---------:|------------:|--------:|"
  n = split("1000\t10000\t100000\t1000000\tall\tmuseum", names, "\t")
  for (i = 1; i <= n; i++)
    printf "| %10s | %s | %8.1f | %s     | %7.0f |\n", names[i], spread(names[i], what),
      time(names[i], what) / frames * 1e9, ratio(names[i], what), memory(names[i], what)
}

function others(   names, n, i) {
  print "|                    | seconds | range           | × beacons json | peak MB |"
  print "|--------------------|--------:|----------------:|---------------:|--------:|"
  n = split(order["others"], names, "\t")
  for (i = 1; i <= n; i++)
    printf "| %-18s | %s | %14.1f | %7.0f |\n", names[i], spread("others", names[i]),
      time("others", names[i]) / time("others", "beacons json"), memory("others", names[i])
  n = split(missing, names, " ")
  for (i = 1; i <= n; i++)
    printf "| %-18s | missing | %17s | %14s | %7s |\n", names[i], "", "", ""
}

# A row of the first table. `value` is compared only where it is known; units are two wide.
function limit(text, isKnown, value, unit, bound, isLeast,   isMet) {
  isMet = isLeast ? value >= bound : value <= bound
  printf "| %s | %s %5s %s | %s %s | %s |\n", pad(text, 42), isLeast ? "≥" : "≤", bound, unit,
    isKnown ? sprintf("%7.2f", value) : "      -", unit,
    isKnown ? (isMet ? "met" : "**not met**") : "not measured"
}

function over(group, name, other, base) {
  return has(group, name) && has(other, base) ? time(group, name) / time(other, base) : 0
}

# Middle of how much longer a row takes than another one of the same round.
function paired(group, name, base,   run) {
  for (run = 1; run <= runs[group SUBSEP name]; run++)
    share["paired", run] = wall[group SUBSEP name, run] / wall[group SUBSEP base, run]
  runs["paired"] = runs[group SUBSEP name]
  return median(share, "paired")
}

function rules(group, frames,   names, n, i) {
  print "|                            | seconds | range           | M frames/s | MB   |"
  print "|----------------------------|--------:|----------------:|-----------:|-----:|"
  n = split(order[group], names, "\t")
  for (i = 1; i <= n; i++)
    printf "| %-26s | %s | %10.2f | %4.0f |\n", names[i], spread(group, names[i]),
      frames / time(group, names[i]) / 1e6, memory(group, names[i])
}

# Allocations in the last `frames − small_frames` frames, per thousand.
function growth(stage,   short, long) {
  short = "stages " small SUBSEP stage
  long = "stages " large SUBSEP stage
  return (allocations[long] - allocations[short]) / (records[long] - records[short]) * 1000
}

function limits(   json, isCounted) {
  json = "beacons json"
  isCounted = has(large, "yardstick")
  print "|                                            | limit      | figure     | |"
  print "|--------------------------------------------|-----------:|-----------:|-|"
  limit(large ", × yardstick, all cores", isCounted, over(large, json, large, "yardstick"), "× ", 2)
  limit(large ", × yardstick, one core", isCounted,
    over(large, json ", one core", large, "yardstick"), "× ", 3.5)
  limit(small ", tshark × analyze", has("others", "tshark"),
    over("others", "tshark", "others", json), "× ", 150, 1)
  limit(large ", peak memory", 1, memory(large, json), "MB", 100)
  limit("the same, × that of " small, 1, memory(large, json) / memory(small, json), "× ", 1.1)
  limit(large ", time × that of " small, 1, over(large, json, small, json), "× ", 10.5)
  limit("sightings ndjson, lines a second", 1,
    lines / time(large, "sightings ndjson") / 1e6, "M ", 1, 1)
  limit("reader, allocations per 1 000 frames", 1, growth("reader"), "  ", 5)
  limit("reader and decoder, the same", 1, growth("sightings"), "  ", 5)
  limit("1 000 000 identities, time × that of 1 000", 1,
    over("1000000", json, "1000", json), "× ", 2)
  limit("1 000 000 identities, peak memory", 1, memory("1000000", json), "MB", 400)
  limit("100 regions and ranging, time × without", 1, paired(large, "100 regions", json), "× ", 1.5)
  limit("10 000 regions, time × that of 100", 1,
    paired(large, "10000 regions", "100 regions"), "× ", 1.2)
  limit("1 000 000 identities with regions, × 1 000", 1,
    over("1000000", "regions by default", "1000", "regions by default"), "× ", 2)
  limit("the same, peak memory", 1, memory("1000000", "regions by default"), "MB", 600)
  limit("a rule on every sighting, calls a second", 1,
    frames / time("rules", "a rule on every sighting") / 1e6, "M ", 3, 1)
  limit("filters that match nothing, × without", 1,
    paired("rules", "filters that match nothing", "no plugin"), "× ", 1.05)
  limit("ten region rules, × the regions alone", 1,
    paired("rules", "ten region rules", "ten regions"), "× ", 1.05)
  limit("a pipe, time × the file", 1, paired(large, json ", pipe", json), "× ", 1.3)
  limit("a pipe of 20 GB, peak memory × " large, has("big", json),
    memory("big", json) / memory(large, json ", pipe"), "× ", 1.1)
}

END {
  printf "Middle, fastest and slowest of %d runs, taken in turn, captures in the page cache; MB is\n", rounds
  print "the peak memory, largest of all runs (a mapped file counts as memory of its program). What is the"
  print "same run with more to do (regions, a pipe, rules) is compared with that of its own round: the"
  printf "middle of these ratios. Rules that cost next to nothing are measured in %d rounds.\n\n",
    4 * rounds + 1
  print "## What has to hold\n"
  print "Of `analyze --no-regions --format json` unless it says otherwise.\n"
  limits()
  print "\n## " small " frames, 1 000 identities\n"
  programs(small, small_frames)
  print "\n## " large " frames, 1 000 identities\n"
  programs(large, frames)
  print "\n## analyze --no-regions --format json, " large " frames\n"
  sites("beacons json")
  print "\nWith the regions by default, one for every UUID and namespace:\n"
  sites("regions by default")
  print "\n`museum`: some thirty beacons, of many kinds.\n"
  print "## Other programs, " small " frames\n"
  others()
  print "\ntcpdump reads a pcap and prints bytes; tshark and btmon dissect."
  print "\n## Rules in Lua, " large " frames, one core\n"
  rules("rules", frames)
  print "\n" small " frames, sightings counted by identity:\n"
  rules("counting", small_frames)
  print "\nThe figure of the rule on every sighting is of the whole run, reading, SHA-256 and regions"
  printf "included; what the rule adds comes to %.1f million calls a second.\n",
    frames / (time("rules", "a rule on every sighting") - time("rules", "no plugin")) / 1e6
  print "\n## Parts of the way, in one process\n"
  print "Without the program's start. Each includes those above it: `reader` bytes to records, SHA-256"
  print "included, `frames` to reports, `beacons` to sightings with repeats in brief, `sightings` to"
  print "whole sightings, `analysis` (from `beacons`) to sums per beacon. `thread s` is the processor"
  print "time of the thread that asks, without what others do for it; `ns/frame` is of that.\n"
  print small " frames:\n"
  stages("stages " small)
  print "\n" large " frames:\n"
  stages("stages " large)
  if (has("big", "beacons json")) {
    print "\n## A pipe of 20 GB, once\n"
    printf "%.1f s, peak memory %.0f MB.\n", time("big", "beacons json"),
      memory("big", "beacons json")
  }
}
