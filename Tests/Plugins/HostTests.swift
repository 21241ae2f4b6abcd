import Analysis
import Plugins
import Regions
import TestSupport
import Testing

/// What plugins are told, when, and what their alerts say of it.
@Suite("A run with plugins", .timeLimit(.minutes(60)))
struct HostTests {
  typealias Heard = HostedRun.Heard

  /// A beacon heard at these milliseconds.
  static func heard(_ times: Int64..., minor: UInt16 = 1) -> [Heard] {
    times.map { Heard(at: $0, minor: minor) }
  }

  @Test("An alert has the time of its sighting, whatever other plugins hear behind it")
  func timesOfSightings() throws {
    let plugin = "on('sighting', function(s) alert { title = tostring(s.frame) } end)"
    let run = try HostedRun([plugin, plugin], [Self.heard(100, 200, 300)])
    #expect(
      run.alerts == [
        "100 a: 1 [1]", "100 b: 1 [1]", "200 a: 2 [2]", "200 b: 2 [2]", "300 a: 3 [3]",
        "300 b: 3 [3]",
      ])
  }

  @Test("Where nothing is being handled, an alert cites what the plugin was told last")
  func evidenceOfTimers() throws {
    let plugin = """
      on('sighting', { minor = 2 }, function(s) end)
      every(1, function(now) alert { title = region_state('hall') } end)
      on('finish', function() alert { title = 'end' } end)
      """
    let heard = Self.heard(0) + Self.heard(1500, minor: 2) + Self.heard(2500, 3500)
    let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=60"
    let run = try HostedRun([plugin], [heard], regions: [region])
    #expect(
      run.alerts == [
        "1000 a: inside [1]", "2000 a: inside [2]", "3000 a: inside [2]", "3500 a: end [2]",
      ])
    let bare = try HostedRun(
      ["every(1, function() alert { title = 'tick' } end)"], [Self.heard(500, 1600)])
    // No handler was called with anything: the first frame of the run.
    #expect(bare.alerts == ["1500 a: tick [1]"])
    // What an alert cites by default is not what it is about.
    #expect(bare.timeline.alerts.allSatisfy { $0.transmitter == nil && $0.observer == nil })
  }

  @Test("A timer cites no event that no handler of the plugin was called with")
  func evidenceOfOthersEvents() throws {
    let plugin = """
      on('state', 'hall', function(e) end)
      on('state', { region = 'yard', state = 'outside' }, function(e) end)
      every(4, function(now) alert { title = region_state('yard') } end)
      """
    let regions = ["hall", "yard"].enumerated().map { place, name in
      "\(name)=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:\(place + 1),exit_after=60"
    }
    let heard = Self.heard(0) + Self.heard(1500, minor: 2) + Self.heard(4500)
    let run = try HostedRun([plugin], [heard], regions: regions)
    // `yard` was entered in the second frame, which the filter left out.
    #expect(run.alerts == ["4000 a: inside [1]"])
    let deaf = try HostedRun(
      [plugin.replacing("'hall'", with: "{ region = 'hall', state = 'outside' }")], [heard],
      regions: regions)
    #expect(deaf.alerts == ["4000 a: inside [1]"])
    #expect(deaf.timeline.alerts.allSatisfy { $0.events.isEmpty })
  }

  @Test("Errors of one place are told the 1st, 2nd, 4th time, whatever values stand in them")
  func errorsArePlaces() throws {
    let plugin = """
      on('sighting', function(s)
        if s.frame > 9 then error('late') end
        error('frame ' .. s.frame)
      end)
      """
    let lines = try HostedRun.lines([plugin], [(0..<10).flatMap { Self.heard(Int64($0) * 100) }])
    #expect(
      lines.filter { $0.contains("during") }.map { $0.prefix { $0 != "," } } == [
        "a.lua:3: frame 1", "a.lua:3: frame 2", "a.lua:3: frame 4", "a.lua:3: frame 8",
        "a.lua:2: late",
      ])
  }

  @Test("A region that is kept silent has a state all the same")
  func silencedRegions() throws {
    let plugin = """
      on('enter', function(e) alert { title = 'enter' } end)
      on('exit', function(e) alert { title = 'exit' } end)
      every(5, function() alert { title = region_state('hall') } end)
      """
    let region =
      "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=3,"
      + "notify_on_entry=no,notify_on_exit=no"
    let heard = Self.heard(0, minor: 2) + Self.heard(4000, 5500) + Self.heard(20_000, minor: 2)
    let run = try HostedRun([plugin], [heard], regions: [region])
    let titles = run.timeline.alerts.map(\.title)
    #expect(titles == ["inside", "outside", "outside", "outside"])
    #expect(run.timeline.events.filter { $0.alert == nil }.map(\.type.rawValue) == ["state"])
  }

  @Test(
    "A filter that could match nothing is refused",
    arguments: [
      ("on('enter', 'hal', function(e) end)", "a.lua: on(\"enter\"): unknown region 'hal'"),
      ("on('exit', { region = { 'hall', 'rum' } }, function(e) end)", "unknown region 'rum'"),
      ("on('clock', 'hall', function(e) end)", "'clock' is not about a region"),
      ("on('malformed', { grade = 'gone' }, function(e) end)", "unknown key of a filter 'grade'"),
      ("\n\nregion 'yard'", "a.lua:4: region \"yard\" has no table behind it"),
      ("local later = decoder 'd'", "a.lua:2: decoder \"d\" has no table behind it"),
      (
        "region 'yard' { eid = 'front door' }",
        "'front door' is neither 16 hexadecimal digits nor the name of a key"
      ),
      ("region 'yard' { major = 1 }", "'major' is a part of ibeacon: write ibeacon = { uuid = …,"),
      (
        "on('sighting', { kind = 'ibecon' }, print)",
        "unknown kind 'ibecon'; did you mean 'ibeacon'?"
      ),
      ("on('exit', { grade = 1 }, print)", "the filter's grade is 1; write one of"),
      ("on('sighting', { major = '1' }, print)", "the filter's major is '1'; write a whole number"),
      ("on('sighting', { minor = { 1, 70000 } }, print)", "minor 70000 will match nothing"),
      ("on('sighting', { id = 5 }, print)", "the filter's id is 5; write a string"),
      ("on('telemetry', { address = 'c4a100000401' }, print)", "write six bytes such as"),
      ("on('enter', { namespace = 'edd1' }, print)", "namespace 'edd1' will match nothing"),
      ("on('sighting', { decoder = 'thermo' }, print)", "no decoder 'thermo' is declared"),
      (
        "option 'where' { type = 'region', default = 'hal' }",
        "a.lua: option 'where': unknown region 'hal'; did you mean 'hall'?"
      ),
      (
        "option 'where' { type = 'region', default = 5 }",
        "option 'where': default is 5, which is no string"
      ),
    ])
  func emptyFilters(_ plugin: String, _ said: String) {
    do throws(PluginProblem) {
      _ = try HostedRun.lines([Self.hall + plugin], [Self.heard(0)])
      Issue.record("it was taken")
    } catch {
      #expect(error.description.contains(said), "\(error.description)")
    }
  }

  @Test(
    "An option may name a region, or none",
    arguments: [
      ("option 'where' { type = 'region', default = 'hall' }", "hall"),
      ("option 'where' { type = 'region', default = '' }", ""),
      ("option 'where' { type = 'region' }", "nil"),
    ])
  func regionOptions(_ option: String, _ value: String) throws {
    let rule =
      "local where = \(option)\non('start', function() alert { title = tostring(where) .. '.' } end)"
    let run = try HostedRun([Self.hall + rule], [Self.heard(0)])
    #expect(run.timeline.alerts.map(\.title) == [value + "."])
  }

  @Test("Names that come to be while reading are taken")
  func namesOfWhatIsHeard() throws {
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f"
    let taken = try HostedRun(
      ["on('state', '\(uuid)', function(e) alert { title = e.region } end)"], [Self.heard(0)])
    #expect(taken.timeline.alerts.map(\.title) == [uuid])
    // What a message calls its own is any text.
    _ = try HostedRun(["on('message_found', { namespace = 'shop' }, print)"], [Self.heard(0)])
    do throws(PluginProblem) {
      _ = try HostedRun.lines(["on('enter', 'lobby', print)"], [Self.heard(0)])
      Issue.record("it was taken")
    } catch {
      #expect(error.description.contains("no region is declared"), "\(error.description)")
    }
  }

  static let hall =
    "region 'hall' { ibeacon = { uuid = '00010203-0405-0607-0809-0a0b0c0d0e0f' } }\n"

  @Test("Filters take identities of events in the same words as those of sightings")
  func filtersOfEvents() throws {
    let plugin =
      Self.hall + """
        on('state', { uuid = '00010203-0405-0607-0809-0A0B0C0D0E0F', minor = { 1, 5 } }, function(e)
          alert { title = e.transmitter.id }
        end)
        on('state', { observer = 'CAPTURE 0' }, function(e) alert { title = 'wrong' } end)
        on('state', { observer = 'capture 0', region = 'hall' }, function(e)
          alert { title = e.region .. ' at ' .. e.observer }
        end)
        on('state', { minor = 2 }, function(e) alert { title = 'wrong' } end)
        """
    let run = try HostedRun([plugin], [Self.heard(0)])
    #expect(
      run.alerts == [
        "0 a: 00010203-0405-0607-0809-0a0b0c0d0e0f:1:1 [1]", "0 a: hall at capture 0 [1]",
      ])
  }

  @Test("An event that was kept says later what it was about")
  func keptEvents() throws {
    let plugin =
      Self.hall + """
        local kept
        on('state', function(e) kept = e end)
        after(5, function() alert { title = 'kept', evidence = kept } end)
        """
    let run = try HostedRun([plugin], [Self.heard(0, 9000)])
    #expect(run.alerts == ["5000 a: kept [1]"])
    #expect(run.timeline.alerts.map(\.region) == [0])
    #expect(run.timeline.alerts.map(\.observer) == [0])
  }

  @Test("A decoder's file is read aloud once; what it returns has no keys that nobody reads")
  func decoders() throws {
    let plugin = """
      print('loaded')
      decoder 'd' { ad_type = 0x01, decode = function(ad, adv)
        return ({ { id = 'a', field = {} }, { id = 'a', fields = 3 }, { id = 'a', fields = { n = 1 } } })
          [adv.frame]
      end }
      on('telemetry', function(s) alert { title = s.id .. ' ' .. s.fields.n } end)
      """
    let run = try HostedRun([plugin], [Self.heard(0, 1000, 2000)])
    #expect(run.lines.filter { $0 == "a: loaded" }.count == 1)
    #expect(
      run.lines.contains { $0.contains("returned: unknown key 'field'; did you mean 'fields'") })
    #expect(run.lines.contains { $0.contains("fields has to be a table, not 3") })
    // Where it begins: what is wrong is seen only once it has returned.
    #expect(run.lines.contains { $0.hasPrefix("a.lua:2: decoder 'd' returned: unknown key") })
    #expect(run.alerts == ["2000 a: d:a 1 [3]"])
  }

  @Test("What a decoder finds is telemetry only where it has fields")
  func telemetryHasFields() throws {
    let plugin = """
      decoder 'd' { ad_type = 0x01, decode = function(ad, adv)
        return { id = 'a', fields = adv.frame == 2 and { n = 1 } or nil }
      end }
      on('telemetry', function(s) alert { title = 'all ' .. s.fields.n } end)
      on('telemetry', { decoder = 'd' }, function(s) alert { title = 'its own ' .. s.fields.n } end)
      on('sighting', { decoder = 'd' }, function(s) alert { title = 'seen' } end)
      """
    let run = try HostedRun([plugin], [Self.heard(0, 1000, 2000)])
    #expect(
      run.alerts == [
        "0 a: seen [1]", "1000 a: all 1 [2]", "1000 a: its own 1 [2]", "1000 a: seen [2]",
        "2000 a: seen [3]",
      ])
  }

  @Test("One function that never works switches its plugin off, whatever the others do")
  func neverWorks() throws {
    let plugin = """
      on('sighting', function(s) error('x') end)
      on('sighting', function(s) state.n = (state.n or 0) + 1 end)
      on('finish', function() print(state.n) end)
      """
    let times = (0..<150).map { Int64(10 * $0) }
    let run = try HostedRun([plugin], [times.flatMap { Self.heard($0) }])
    let words = "a: switched off after 100 errors in a row; everything else goes on"
    #expect(run.lines.filter { $0 == words }.count == 1)
    let works = try HostedRun(
      [plugin.replacing("error('x')", with: "if s.frame % 50 > 0 then error('x') end")],
      [times.flatMap { Self.heard($0) }])
    #expect(works.lines.contains("a: 150"))
  }

  @Test("A beacon without fields has none, and ids are found as their decoder returned them")
  func idsWithBlanks() throws {
    let plugin = """
      decoder "d" { ad_type = 0x01, decode = function(ad) return { id = "Cerbo 5%" } end }
      region "cerbo" { decoder = { name = "d", id = "Cerbo 5%" } }
      on('sighting', { id = "d:Cerbo 5%" }, function(s) print(s.id, s.fields) end)
      on('enter', 'cerbo', function(e) print('in') end)
      on('state', 'cerbo', function(e) print('at') end)
      """
    let run = try HostedRun([plugin], [Self.heard(0)])
    #expect(run.lines.contains { $0 == "a: d:Cerbo%205%25\tnil" }, "\(run.lines)")
    #expect(run.lines.contains("a: at") || run.lines.contains("a: in"), "\(run.lines)")
  }

  @Test("What a limit stopped does nothing more; a long message is cut")
  func stopped() throws {
    let plugin = """
      on('sighting', function(s)
        local late <close> = setmetatable({ title = 'late' }, { __close = alert })
        while true do end
      end)
      on('finish', function() error(('x'):rep(100000)) end)
      """
    let run = try HostedRun([plugin], [Self.heard(0)])
    #expect(run.alerts == [])
    #expect(run.lines.first?.contains("more than 10000000 instructions in one call") == true)
    #expect(run.lines.allSatisfy { $0.utf8.count < 3000 })
  }

  @Test("once_per and at_most hold back, and count; the span itself is over")
  func limits() throws {
    let plugin = """
      on('sighting', { minor = 1 }, function(s)
        alert { title = 'once', once_per = 2 }
      end)
      on('sighting', { minor = 2 }, function(s)
        alert { title = tostring(s.frame), at_most = { 2, per = 3 } }
      end)
      """
    let first = try HostedRun([plugin], [Self.heard(0, 1000, 1999, 2000, 3500, 1000, 4000)])
    #expect(first.alerts == ["0 a: once [1]", "2000 a: once [4]", "4000 a: once [7]"])
    #expect(first.timeline.alerts.map(\.heldBack) == [0, 2, 2])
    #expect(first.timeline.judges.map(\.heldBack) == [4])
    let second = try HostedRun([plugin], [Self.heard(0, 1000, 2000, 3000, 3500, 4000, minor: 2)])
    #expect(
      second.alerts == ["0 a: 1 [1]", "1000 a: 2 [2]", "3000 a: 4 [4]", "4000 a: 6 [6]"])
  }

  @Test(
    "Alerts are the same however the input is cut, with one or two processors",
    arguments: [(1, false), (7, true), (50, false), (1024, true)])
  func cuts(_ batch: Int, _ readsAhead: Bool) throws {
    var random = Seeded(11)
    let captures = (0..<2).map { place in
      var moment = Int64(place) * 700
      return (0..<1500).map { _ in
        moment += Int64(random.below(90))
        let back = random.once(in: 40) ? Int64(random.below(1500)) : 0
        return Heard(
          at: max(0, moment - back), minor: UInt16(random.below(5)) + 1,
          rssi: Int8(-50 - random.below(40)))
      }
    }
    let first = """
      on('sighting', { minor = { 1, 2 } }, function(s)
        if s.rssi > -55 then alert { title = 'near ' .. s.minor .. ' ' .. os.time() } end
        if s.frame % 10 == 0 then
          after(0.05, function(now) alert { title = 'after ' .. region_state('hall') } end)
        end
      end)
      every(0.5, function(now) if now % 3 < 0.5 then alert { title = 'beat' } end end)
      """
    let second = """
      local count = 0
      on('sighting', { minor = { 2, 3 } }, function(s)
        count = count + 1
        if count % 7 == 0 then alert { title = 'count ' .. count } end
        if count % 300 == 0 then error('three hundred') end
      end)
      on('exit', function(e) alert { title = 'exit', text = tostring(count) } end)
      """
    let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:4,exit_after=1"
    func run(_ batch: Int, _ readsAhead: Bool) throws -> HostedRun {
      try HostedRun(
        [first, second], captures, regions: [region], batch: batch, readsAhead: readsAhead)
    }
    let (usual, other) = (try run(1024, false), try run(batch, readsAhead))
    #expect(usual.alerts.count > 200)
    let difference = zip(usual.alerts, other.alerts).first { $0 != $1 }
    #expect(difference == nil)
    #expect(usual.alerts.count == other.alerts.count)
    #expect(usual.timeline.events.map(\.id) == other.timeline.events.map(\.id))
  }
}
