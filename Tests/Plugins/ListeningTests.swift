import CaptureReader
import TestSupport
import Testing

@testable import Plugins

/// `beacontrace.listening`: who listens, and how long a silence has to be that is not chance.
@Suite("Ears and gaps", .timeLimit(.minutes(60)))
struct ListeningTests {
  private static let head = """
    local listening = require 'beacontrace.listening'
    local e, g = listening.ears('ears', 30), listening.gaps()
    local function hear(...)
      for _, time in ipairs { ... } do e:hear { observer = 'door', time = time } end
    end

    """

  private static func run(
    _ text: String, saved: SavedStates = SavedStates()
  ) throws -> ReloadRun {
    try ReloadRun([("p", head + text)], heardAt: [0], saved: saved)
  }

  @Test("an observer listens from the first sighting on, and anew behind a pause")
  func pauses() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        hear(0, 10, 40)
        local ear = e:of('door', 50)
        print(ear.since, ear.latest, e:of('door', 70) == ear, e:of('door', 71), e:of('hall', 50))
        hear(80, 90)
        ear = e:of('door', 90)
        print(ear.since, ear.latest, e:seconds('door', 0, 100), e:seconds('door', 30, 85))
        print(e:seconds('hall', 0, 100), table.concat(e:observers(), ' '))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["0\t40\ttrue\tnil\tnil", "80\t90\t50\t15", "0\tdoor"])
  }

  @Test("where the clock was set back time stands still; what has no time is not heard")
  func clockSetBack() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        hear(1000)
        for time = 100, 999 do hear(time) end
        local ear = e:hear { observer = 'door', time = 500, capture = 'x', frame = 7 }
        print(ear.since, ear.latest, ear.frame)
        hear(1030)
        print(ear.since, ear.latest, ear.frame)
        hear(1061)
        print(ear.since, e:seconds('door', 0, 2000))
        print(e:hear { observer = 'hall' }, #e:observers())
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["1000\t1000\t7", "1000\t1030\tnil", "1061\t30", "nil\t1"])
  }

  @Test("a scan that begins anew is a break, and so are recordings and restarts that are long")
  func breaks() throws {
    let plugin = """
      local listening = require 'beacontrace.listening'
      local e = listening.ears('ears', 30)
      on('sighting', function(s) print(('%.0f'):format(e:hear(s).since % 86400)) end)
      on('finish', function(f) print(('%.0f'):format(e:seconds('test', 0, f.time))) end)
      """
    let heard = "url = 'https://a.com/', address = 'c2:35:33:30:25:50'"
    let test = """
      sightings = {
        { at = 1, \(heard) }, { at = 2, scan = 'off' }, { at = 3, scan = 'on' }, { at = 7, \(heard) },
        { at = 8, recording = 'off' }, { at = 20, recording = 'on' }, { at = 21, \(heard) },
        { at = 22, recording = 'off' }, { at = 60, recording = 'on' }, { at = 61, \(heard) },
        { at = 65, restart = 5 }, { at = 75, \(heard) },
        { at = 80, restart = 40 }, { at = 125, \(heard) },
      },
      alerts = {}, print = { '1', '3', '3', '61', '18', '61', '32', '125', '32' },
      """
    #expect(try TestingFolder.outcome(plugin, test).lines == [])
  }

  @Test("are known behind a restart, without the frames of the run before")
  func saved() throws {
    let first = try Self.run(
      """
      on('sighting', function()
        local now = os.time()
        hear(now - 200, now - 190, now)
        e:hear { observer = 'door', time = now + 10, capture = 'a', frame = 1 }
        e:hear { observer = 'hall', time = now - 100 }
      end)
      """)
    let saved = try SavedStates(reading: first.host.savedState(), name: "saved.json")
    let second = try Self.run(
      """
      on('sighting', function()
        local now = os.time()
        local ear = e:of('door', now + 20)
        print(ear.since - now, ear.latest - now, ear.capture, ear.frame)
        print(e:seconds('door', now - 300, now + 300), e:of('hall', now))
        print(table.concat(e:observers(), ' '))
      end)
      """, saved: saved)
    #expect(first.told == [] && first.host.notSaved == 0 && second.told == [])
    #expect(second.printed == ["0\t10\tnil\tnil", "20\tnil", "door hall"])
  }

  @Test(
    "ears begin anew where something else lies at their place, and say so",
    arguments: ["7", "{ a = true }", "{ a = { since = 1 } }", "{ a = { before = { 7 } } }"])
  func otherData(before: String) throws {
    let run = try ReloadRun(
      [
        (
          "p",
          "state.ears = \(before)\n\(Self.head)on('start', function() print(#e:observers()) end)"
        )
      ],
      heardAt: [0])
    let told =
      "state.ears held something else than ears of beacontrace.listening; they begin anew"
    #expect(run.told == [] && run.printed == [told, "0"])
  }

  @Test("no gap is unusual before one was learned; of regular ones three are, of the latest ones")
  func regularGaps() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        local kept = {}
        print(g:unusual(kept), g:quantile(kept, 0.5))
        for _ = 1, 20 do g:learn(kept, 10) end
        print(('%.1f %.1f'):format(g:quantile(kept, 0.5), g:unusual(kept)))
        for _ = 1, 600 do g:learn(kept, 0.2) end
        print(g:quantile(kept, 0.9), g:unusual(kept))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["0\tnil", "11.3 33.9", "1.0\t3.0"])
  }

  @Test("of gaps that chance makes a silence is unusual that is far longer than the longest")
  func gapsByChance() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        local kept, number, gap, longest = {}, 12345, 0, 0
        for _ = 1, 10000 do
          number = (number * 1103515245 + 12345) % 2147483648
          gap = gap + 1
          if number // 65536 % 20 == 0 then
            g:learn(kept, gap)
            gap, longest = 0, math.max(longest, gap)
          end
        end
        print(longest, ('%.0f'):format(g:unusual(kept)))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["134\t250"])
  }

  @Test("gaps of two hundred lengths, of which each is forgotten, are none")
  func forgottenGaps() throws {
    let run = try Self.run(
      """
      on('sighting', function()
        local kept = {}
        for n = 1, 199 do g:learn(kept, 2 ^ ((n + 0.5) / 4)) end
        print(g:unusual(kept) > 1000)
        g:learn(kept, 0)
        print(g:unusual(kept), g:quantile(kept, 0.5))
      end)
      """)
    #expect(run.told == [])
    #expect(run.printed == ["true", "0\tnil"])
  }

  @Test(
    "say what is wrong with a call",
    arguments: [
      ("listening.ears()", "the name of a key of state is needed"),
      ("listening.ears('m', 0)", "a number of seconds above 0"),
      ("listening.ears('m', '5')", "a number of seconds above 0"),
      ("e.hear({})", "are called with a colon: e:hear(s)"),
      ("e:hear('door')", "hear sightings: e:hear(s)"),
      ("e:of('door')", "are asked for a time: e:of(observer, now)"),
      ("e:seconds('door', 1)", "are asked for a time: e:seconds(observer, from, to)"),
      ("listening.gaps(0)", "a number of seconds above 0"),
      ("g.learn({}, 1)", "are called with a colon: g:learn(kept, seconds)"),
      ("g:learn(nil, 1)", "are kept in a table of yours"),
      ("g:learn({}, 1 / 0)", "have a length in seconds"),
      ("g:quantile({})", "a share from 0 to 1"),
      ("g:unusual()", "are kept in a table of yours"),
    ])
  func calls(_ call: String, _ words: String) throws {
    let problem = #expect(throws: PluginProblem.self) { try Self.run(call) }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    // Where the rule is wrong, not where the module notices.
    #expect(problem?.description.contains(":6: ") == true, "\(problem?.description ?? "")")
  }
}
