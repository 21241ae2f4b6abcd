import Testing

/// Options that a command does not have: named before anything else is said, with what was meant by them.
@Suite(.timeLimit(.minutes(60)))
struct OptionHabitTests {
  @Test(arguments: [
    ("analyze --json x", "--json", "Write --format json."),
    ("events --json x", "--json", "Write --format ndjson."),
    ("events --csv x", "--csv", "Write --format csv."),
    ("analyze --csv x", "--csv", "--format csv is an option of events, sightings, devices and"),
    ("analyze --html x y", "--html", "Write --report FILE."),
    ("case report --html x y", "--html", "Write --out FILE."),
    ("-r x", "-r", "Captures stand behind a command: beacontrace analyze FILE."),
    ("analyze -r x", "-r", "Captures are named without an option: beacontrace analyze FILE."),
    ("analyze -Y x y", "-Y", "'sightings --where' and 'events --where' take an expression"),
    ("events -Y x y", "-Y", "Write --where EXPRESSION."),
    ("sightings -w x y", "-w", "Write --write FILE."),
    ("analyze -w x y", "-w", "'sightings --write' and 'export --to pcapng' write frames."),
    ("info -T json x", "-T", "Write --format text|json."),
    ("analyze -X lua_script:x y", "-X", "Write --plugin FILE."),
    ("analyze -o x y", "-o", "Write --report FILE (a page), or --case FILE (a case). Lines go"),
    ("analyze --output x y", "--output", "Write --report FILE (a page), or --case FILE"),
    ("synth --output x", "--output", "Write --out FILE."),
    ("synth --list", "--list", "Did you mean '--list-scenarios'?"),
    ("export --until 10 x", "--until", "take a time."),
    (
      "analyze --where x y", "--where", "It is an option of events and sightings, not of 'analyze'."
    ),
    ("sightings --plugin x y", "--plugin", "It is an option of analyze, "),
    ("info --forma text x", "--forma", "Did you mean '--format'?"),
    ("--json analyze x", "--json", "Options stand behind the command: beacontrace analyze --help."),
    ("plugin --json list", "--json", "behind the command: beacontrace plugin list --help."),
    ("case --json query", "--json", "behind the command: beacontrace case query --help."),
    ("analyze -report x.html y", "-report", "Did you mean '--report'?"),
    ("analyze -region x=y z", "-region", "Did you mean '--region'?"),
    ("analyze -f json x", "-f", "Write --format json."),
    ("sightings -f json x", "-f", "Write --format ndjson."),
    ("analyze -f csv x", "-f", "--format csv is an option of events, sightings, devices and"),
    (
      "sightings -f kind x", "-f", "Write --where EXPRESSION, or --format text|ndjson|csv."
    ),
    (
      "analyze -f", "-f",
      "Write --format text|json. 'sightings --where' and 'events --where' take an expression"
    ),
  ])
  func whatWasMeantIsSaid(_ words: String, _ option: String, _ says: String) throws {
    let run = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(run.status == 64 && run.output.isEmpty)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("Error: Unknown option '\(option)'. "), "\(first)")
    #expect(first.contains(says), "\(first)")
    #expect(run.complaints.last?.contains("--help' for more information") == true)
  }

  /// Commands have much to say of words that are missing; a word that is wrong comes first.
  @Test(arguments: [
    "synth --nonsense", "explain --nonsense", "export --nonsense", "case query --nonsense",
    "events --nonsense", "compare a --nonsense", "share --nonsense x", "plugin new --nonsense",
    "live --nonsense", "analyze -vz x", "events -rssi x",
  ])
  func itIsNamedBeforeAllElse(_ words: String) throws {
    let run = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(run.status == 64)
    let option = ["-vz", "-rssi"].first(where: words.contains) ?? "--nonsense"
    #expect(run.complaints.first == "Error: Unknown option '\(option)'.", "\(run.errors)")
  }

  /// A value may look like an option, and what stands behind `--` is none.
  @Test(arguments: [
    ("devices --min-rssi -55 -q nosuch", "nosuch: cannot be opened"),
    ("info -- --nosuch", "--nosuch: cannot be opened"),
    ("info --verbose nosuch", "nosuch: cannot be opened"),
  ])
  func whatIsNoOptionIsNone(_ words: String, _ says: String) throws {
    let run = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(run.errors.contains(says) && !run.errors.contains("Unknown"), "\(run.errors)")
  }

  /// What is advised is there: options to write, and those of the commands that are named.
  @Test(arguments: ["analyze", "sightings", "info", "export", "case report", "live", "synth"])
  func nothingIsAdvisedThatIsNotThere(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let habits = [
      "-r", "-Y", "-w", "-o", "-T", "-X", "--html", "--db", "--since", "--until", "--tz", "--csv",
    ]
    // What is no habit but an option writes there.
    let scratch = try Scratch()
    for habit in habits {
      let says = try Tool.run(words + [habit, "x"], in: scratch.folder).complaints.first ?? ""
      guard says.hasPrefix("Error: Unknown option") else { continue }
      for part in says.matches(of: /Write ([^.]+)\./) {
        let own = try Tool.run(["help"] + words).output
        for option in part.1.matches(of: /--[a-z-]+/) {
          #expect(own.contains("\(option.0) ") || own.contains("\(option.0)\n"), "\(says)")
        }
      }
      for part in says.matches(of: /'([a-z]+) (--[a-z]+)/) where part.1 != command {
        let help = try Tool.run("help", String(part.1)).output
        #expect(help.contains("\(part.2) ") || help.contains("\(part.2)\n"), "\(says)")
      }
    }
  }

  @Test(arguments: [
    ("plugin chek q.lua", "'chek': no such command. Did you mean 'check'?"),
    ("case querry x", "'querry': no such command. Did you mean 'query'?"),
    ("case foo", "'foo': no such command. There are: info, query, report, verify."),
    ("plugin run x.lua", "'run': no such command. There are: new, check, test, compare, "),
    (
      "case \(Captures.h4)",
      "a file or folder, and no command before it. Try: beacontrace case info \(Captures.h4)"
    ),
  ])
  func commandsBelowOthersAreGuessedToo(_ words: String, _ says: String) throws {
    let run = try Tool.run(words.split(separator: " ").map(String.init))
    #expect(run.status == 64 && run.output.isEmpty)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("Error: Unexpected argument ") && first.contains(says), "\(first)")
    let command = words.prefix { $0 != " " }
    #expect(
      run.complaints.last == "  See 'beacontrace \(command) --help' for more information.")
  }

  /// Also the line of usage; and no example is broken in two.
  @Test(arguments: [
    "", "analyze", "compare", "advise", "events", "explain", "sightings", "devices", "clocks",
    "info", "case", "case info", "case query", "case report", "case verify", "export", "live",
    "replay", "share", "interfaces", "doctor", "plugin", "plugin new", "plugin check",
    "plugin test", "plugin compare", "plugin stress", "plugin list", "plugin docs", "synth",
  ])
  func helpIsEightyColumnsWide(_ command: String) throws {
    let run = try Tool.run(["help"] + command.split(separator: " ").map(String.init))
    #expect(run.status == 0)
    for line in run.lines { #expect(line.count <= 80, "\(line)") }
    let examples = run.lines.drop { $0 != "Examples:" }.prefix { !$0.hasPrefix("USAGE:") }
    for line in examples { #expect(line.hasPrefix("  ") || line.hasSuffix(":"), "\(line)") }
  }
}
