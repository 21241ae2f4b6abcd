import Beacons
import CaptureReader
import Regions
import Testing

/// SEMANTICS 3, sentence by sentence.
@Suite struct RangerTests {
  @Test("at t0 + k·period, over the samples in (previous tick, this tick]")
  func samplesOfATick() throws {
    var scene = try RangingScene([.init()])
    scene.start(at: 0.5)
    scene.hear(0, at: 0.7, -60)
    scene.enter(at: 0.7)
    for (time, rssi) in [(1.0, -62), (1.5, -64), (1.500000001, -70), (2.5, -72)] {
      scene.hear(0, at: time, Int8(rssi))
    }
    scene.end(at: 3.6)
    let found = scene.ranger.lists.map { [$0.entries[0].rssi, Double($0.entries[0].samples)] }
    #expect(found == [[-62, 3], [-71, 2], [nil, 0]])
    #expect(scene.lists() == ["1.5: t0 near", "2.5: t0 far", "3.5: t0 far"])
  }

  @Test("a sample of the very first record belongs to the tick there")
  func theFirstTick() throws {
    var scene = try RangingScene([.init()])
    scene.hear(0, at: 5, -60)
    scene.enter(at: 5)
    scene.end(at: 6)
    #expect(scene.lists() == ["5.0: t0 near", "6.0: t0 near"])
  }

  @Test("only while inside")
  func onlyWhileInside() throws {
    var scene = try RangingScene([.init()])
    scene.start()
    for tenth in 1...100 {
      scene.hear(0, at: Double(tenth) / 10, -60)
      if tenth == 25 { scene.enter(at: 2.5) }
      if tenth == 60 { scene.leave(at: 6) }
    }
    scene.end(at: 12)
    #expect(
      scene.lists() == ["3.0: t0 near", "4.0: t0 near", "5.0: t0 near"])
  }

  @Test("nearest first, unknown ones last; ties by identity, then by address")
  func order() throws {
    var scene = try RangingScene([
      .init(minor: 3, address: 1), .init(minor: 2, address: 9), .init(minor: 2, address: 8),
      .init(minor: 1, address: 7), .init(minor: 4, address: 6, power: -3),
      .init(minor: 5, address: 5, power: -3),
    ])
    scene.start()
    scene.enter(at: 0)
    for (beacon, rssi) in [(5, -70), (4, -70), (0, -50), (1, -60), (2, -60), (3, -90)] {
      scene.hear(beacon, at: 0.5, Int8(rssi))
    }
    scene.end(at: 1)
    #expect(
      scene.lists().last
        == "1.0: t0 immediate, t2 near, t1 near, t3 far, t4 unknown, t5 unknown")
  }

  @Test("no sample for 2 s → unknown; no sample for 10 s → dropped")
  func addressChange() throws {
    var scene = try RangingScene([.init(address: 1), .init(address: 2)])
    scene.start()
    scene.enter(at: 0)
    // The address changes behind 5.0 s.
    for tenth in 1...200 {
      scene.hear(tenth <= 50 ? 0 : 1, at: Double(tenth) / 10, -65)
    }
    scene.end(at: 20)
    let lists = scene.lists()
    #expect(lists[5] == "5.0: t0 near")
    #expect(lists[6] == "6.0: t0 near, t1 near")
    #expect(lists[7...14].allSatisfy { $0.hasSuffix(": t1 near, t0 unknown") })
    #expect(lists[15...].allSatisfy { $0.hasSuffix(": t1 near") })
    #expect(
      scene.changes == [
        "1.0 r0 t0 unknown→near 1…10", "6.0 r0 t1 unknown→near 51…60",
        "7.0 r0 t0 near→unknown 50…50",
      ])
  }

  @Test("a change is an event at the tick's time; the first is from unknown")
  func changes() throws {
    var settings = RangingScene.listed()
    settings.wantsLists = false
    var scene = try RangingScene([.init()], settings)
    scene.start()
    scene.enter(at: 0)
    // 0.35 m, 3.5 m, 35 m.
    for (index, rssi) in [-50, -50, -70, -70, -90, -70].enumerated() {
      scene.hear(0, at: Double(index) + 0.25, Int8(rssi))
      scene.hear(0, at: Double(index) + 0.5, Int8(rssi))
    }
    scene.end(at: 30)
    #expect(
      scene.changes == [
        "1.0 r0 t0 unknown→immediate 1…2", "3.0 r0 t0 immediate→near 5…6",
        "5.0 r0 t0 near→far 9…10", "6.0 r0 t0 far→near 11…12", "8.0 r0 t0 near→unknown 12…12",
      ])
    #expect(scene.ranger.lists.isEmpty)
  }

  @Test("state per region: each is told for itself, and anew in a new stay")
  func regions() throws {
    var scene = try RangingScene([.init(), .init(minor: 2)])
    scene.start()
    scene.enter(1, at: 0)
    for tenth in 1...80 {
      scene.hear(0, at: Double(tenth) / 10, -65, regions: [0, 1])
      scene.hear(1, at: Double(tenth) / 10, -50, regions: [1])
      if tenth == 25 { scene.enter(0, at: 2.5) }
      if tenth == 35 { scene.leave(0, at: 3.5) }
      if tenth == 45 { scene.enter(0, at: 4.5) }
    }
    #expect(
      scene.changes == [
        "1.0 r1 t0 unknown→near 1…19", "1.0 r1 t1 unknown→immediate 2…20",
        "3.0 r0 t0 unknown→near 41…59", "5.0 r0 t0 unknown→near 81…99",
      ])
    let nearest = [0, 1].map { scene.ranger.nearest(region: $0, observer: 0)?.transmitter }
    #expect(nearest == [0, 1])
  }

  @Test("a sighting whose RSSI is 127 is no sample")
  func rssi127() throws {
    var scene = try RangingScene([.init()])
    scene.start()
    scene.enter(at: 0)
    scene.hear(0, at: 0.2, 127)
    scene.hear(0, at: 1.2, -60)
    for tenth in 13...60 { scene.hear(0, at: Double(tenth) / 10, 127) }
    scene.end(at: 6)
    #expect(
      scene.lists() == [
        "0.0: ", "1.0: ", "2.0: t0 near", "3.0: t0 near", "4.0: t0 unknown", "5.0: t0 unknown",
        "6.0: t0 unknown",
      ])
    #expect(scene.ranger.lists[2].entries[0].samples == 1)
  }

  @Test("a measured power outside −100…−20 dBm: distance unknown, and one warning per identity")
  func unusablePower() throws {
    var scene = try RangingScene([
      .init(minor: 1, address: 1, power: -3), .init(minor: 1, address: 2, power: -3),
      .init(minor: 2, address: 3, power: -60, kind: EddystoneUID.kind),
      .init(minor: 3, address: 4, power: -18, kind: EddystoneUID.kind),
    ])
    scene.start()
    scene.enter(at: 0)
    for second in 0..<5 {
      for beacon in 0..<4 { scene.hear(beacon, at: Double(second) + 0.5, -62) }
    }
    let entries = try #require(scene.ranger.lists.last).entries
    #expect(entries.map(\.transmitter) == [3, 0, 1, 2])
    #expect(entries.map { $0.accuracy?.metres != nil } == [true, false, false, false])
    let warnings = scene.ranger.unusablePowers
    #expect(warnings.map(\.identity) == [0, 2])
    #expect(warnings.map(\.power) == [-3, -101])
    #expect(scene.changes == ["1.0 r0 t3 unknown→near 4…4"])
  }

  @Test("a step backwards never moves the clock back; a record without a time takes the clock's")
  func odd() throws {
    var scene = try RangingScene([.init()])
    scene.start()
    scene.enter(at: 0)
    scene.hear(0, at: 4.5, -60)
    scene.hear(0, at: 1, -62)
    _ = scene.ranger.add(transmitter: 0, time: .none, rssi: -64, power: -59, frame: 3)
    scene.end(at: 5)
    let entry = try #require(scene.ranger.lists.last?.entries.first)
    #expect(entry.samples == 3)
    #expect(entry.rssi == -62)
  }

  @Test("ranging period on change: a list whenever a proximity changed")
  func onChange() throws {
    var scene = try RangingScene([.init(), .init(minor: 2)], RangingScene.listed(.last, .onChange))
    scene.start()
    scene.enter(at: 0)
    for (time, beacon, rssi) in [
      (0.1, 0, -60), (0.2, 0, -61), (0.3, 1, -50), (0.4, 0, -90), (0.5, 1, -51), (1.9, 1, -52),
    ] {
      scene.hear(beacon, at: time, Int8(rssi))
    }
    scene.end(at: 30)
    #expect(
      scene.lists() == [
        "0.1: t0 near", "0.3: t1 immediate, t0 near", "0.4: t1 immediate, t0 far",
        "2.4: t1 immediate, t0 unknown", "3.9: t0 unknown, t1 unknown",
      ])
    #expect(
      scene.changes == [
        "0.1 r0 t0 unknown→near 1…1", "0.3 r0 t1 unknown→immediate 3…3",
        "0.4 r0 t0 near→far 4…4", "2.4 r0 t0 far→unknown 4…4", "3.9 r0 t1 immediate→unknown 6…6",
      ])
  }

  @Test(
    "on change, samples count from the list before, and what happens at one instant makes one list")
  func onChangeOnce() throws {
    var scene = try RangingScene([.init(), .init(minor: 2)], RangingScene.listed(.mean, .onChange))
    scene.start()
    scene.enter(at: 0)
    // The second beacon's silence ends where the first one's sample comes, and another one's.
    for (time, beacon, rssi) in [
      (0.0, 0, -60), (2.0, 0, -60), (2.0, 1, -50), (3.0, 0, -90), (4.0, 0, -90), (4.0, 0, -92),
    ] {
      scene.hear(beacon, at: time, Int8(rssi))
    }
    scene.end(at: 7)
    #expect(
      scene.lists() == [
        "0.0: t0 near", "2.0: t1 immediate, t0 near", "3.0: t1 immediate, t0 far",
        "4.0: t0 far, t1 unknown", "6.0: t0 unknown, t1 unknown",
      ])
    let lists = scene.ranger.lists
    #expect(lists.map { $0.entries.map(\.samples).reduce(0, +) } == [1, 2, 1, 2, 0])
    #expect(lists[3].entries[0].rssi == -91)
    #expect(lists[4].entries.allSatisfy { $0.rssi == nil })
  }

  @Test("on change, a silence ends a nanosecond behind its 2 s")
  func onChangeAtTheEdge() throws {
    var scene = try RangingScene([.init()], RangingScene.listed(.last, .onChange))
    scene.start()
    scene.enter(at: 0)
    for time in [0.0, 2.0, 4.000000001] { scene.hear(0, at: time, -60) }
    scene.end(at: 4.000000001)
    #expect(
      scene.changes == [
        "0.0 r0 t0 unknown→near 1…1", "4.0 r0 t0 near→unknown 2…2",
        "4.000000001 r0 t0 unknown→near 3…3",
      ])
  }

  @Test("whom a region's first sighting found is ranged at once, on change")
  func onChangeAtTheEnter() throws {
    var scene = try RangingScene([.init()], RangingScene.listed(.last, .onChange))
    scene.start()
    scene.hear(0, at: 1, -60)
    scene.enter(at: 1)
    #expect(scene.lists() == [])
    scene.end(at: 1)
    #expect(scene.lists() == ["1.0: t0 near"])
  }

  @Test("whose silence ends with the enter is not, on change", arguments: [(2.9, 2), (3, 0)])
  func onChangeAtALateEnter(_ enter: Double, _ expected: Int) throws {
    var scene = try RangingScene([.init()], RangingScene.listed(.last, .onChange))
    scene.start()
    scene.hear(0, at: 1, -60)
    scene.enter(at: enter)
    scene.end(at: 5)
    #expect(scene.changes.count == expected)
  }
}
