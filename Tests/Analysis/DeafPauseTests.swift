import CaptureReader
import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// Pauses of the recording, by the exit period of the region that goes by them.
@Suite struct DeafPauseTests {
  private static let one = Address(1, isRandom: true)
  private static let two = Address(2, isRandom: true)

  private static func seconds(_ span: Timeline.Span) -> [Double] {
    [span.from, span.to].map { Double($0.nanoseconds - Recording.start * 1_000_000) / 1e9 }
  }

  /// Off from 12 s to 60 s, with other records but in the pauses; it is heard until 9 s and from 61.9 s on.
  private static func offWithPauses(_ pauses: [ClosedRange<Int64>]) -> Recording {
    var recording = Recording("phone")
    recording.scan(filtersDuplicates: false, at: 0)
    for tenth in Int64(0)..<900 {
      let now = tenth * 100
      if now == 12_000 { recording.scan(filtersDuplicates: false, isOn: false, at: now) }
      if now == 60_000 { recording.scan(filtersDuplicates: false, at: now) }
      if (12_000..<60_000).contains(now) {
        if !pauses.contains(where: { $0.contains(now) }) { recording.other(at: now) }
        continue
      }
      recording.hear(Recording.eddystone, from: two, at: now)
      if now <= 9_000 || now >= 61_900 {
        recording.hear(Recording.iBeacon(1), from: one, at: now)
      }
    }
    return recording
  }

  @Test(
    "inside a time without a scan are a part of it",
    arguments: [
      [], [30_000...36_000], [30_000...36_000, 50_000...56_000],
      [30_000...36_000, 40_000...46_000, 50_000...56_000],
    ] as [[ClosedRange<Int64>]])
  func inside(_ pauses: [ClosedRange<Int64>]) throws {
    let timeline = try Self.offWithPauses(pauses).timeline(exitAfter: 5)
    #expect(timeline.observers[0].deaf.map(Self.seconds) == [[12, 60]])
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect(entry.doubt?.kind == .mayNeverHaveLeft)
    // From 9 to 12 and from 60 to 61.9 s.
    #expect(entry.doubt?.listened == 4_900_000_000)
  }

  /// Heard but from 20 to 45 s, in which there is no record, with another one.
  private static func withPause() -> Recording {
    var recording = Recording("hall")
    for tenth in Int64(0)..<900 where tenth <= 200 || tenth >= 450 {
      recording.hear(Recording.iBeacon(1), from: one, at: tenth * 100)
      recording.hear(Recording.eddystone, from: two, at: tenth * 100 + 50)
    }
    return recording
  }

  @Test(
    "leave open whether it left, whoever says what the exit period is",
    arguments: [(5, ""), (5, ",exit_after=5"), (30, ",exit_after=5")])
  func ownPeriod(_ exitAfter: Int64, _ region: String) throws {
    let timeline = try Self.withPause().timeline(region, exitAfter: exitAfter)
    let exit = try #require(timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade == .deaf)
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect(entry.doubt?.kind == .mayNeverHaveLeft && entry.doubt?.listened == 50_000_000)
    let deaf = timeline.deaf(0, region: 0, profile: 0).map(Self.seconds)
    #expect(deaf == [[20.05, 45]])
  }

  @Test("are hearing where they are shorter than the region's own exit period")
  func longerPeriod() throws {
    var recording = Recording("hall")
    for tenth in Int64(0)..<2000 {
      let now = tenth * 100
      if now < 60_000 || now >= 140_000 {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: now)
      }
      if now % 12_000 == 0 { recording.hear(Recording.eddystone, from: Self.two, at: now + 50) }
    }
    let timeline = try recording.timeline(",exit_after=60", exitAfter: 10)
    let exit = try #require(timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade == .gone)
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect(entry.doubt == nil)
    #expect(timeline.deaf(0, region: 0, profile: 0).isEmpty)
  }

  /// It is heard until 20 s and from 60 s on, another one from a moment on; records there are all the time.
  private static func alone(othersFrom: Int64) -> Recording {
    var recording = Recording("hall")
    for tenth in Int64(0)..<900 {
      let now = tenth * 100
      if now <= 20_000 || now >= 60_000 {
        recording.hear(Recording.iBeacon(1), from: one, at: now)
      } else if now >= othersFrom {
        recording.hear(Recording.eddystone, from: two, at: now)
      } else {
        recording.other(at: now)
      }
    }
    return recording
  }

  @Test(
    "do not prove an entry behind a time in which nobody was heard until just before it",
    arguments: [(60_000, 0), (58_000, 2), (50_000, nil), (30_000, nil)] as [(Int64, Double?)])
  func nobodyHeard(_ othersFrom: Int64, _ listened: Double?) throws {
    let timeline = try Self.alone(othersFrom: othersFrom).timeline(exitAfter: 5)
    let exit = try #require(timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade == .deaf && exit.silence?.othersHeard.isKnown == false)
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect((entry.doubt == nil) == (listened == nil))
    guard let listened else { return }
    let doubt = try #require(entry.doubt)
    #expect(doubt.kind == .mayNeverHaveLeft)
    // By the notes of each hundredth of a second.
    #expect(abs(Double(doubt.listened) / 1e9 - listened) <= 0.11)
    let until = Double(doubt.nobodyHeardUntil.nanoseconds - Recording.start * 1_000_000) / 1e9
    #expect(abs(until - Double(othersFrom) / 1000) <= 0.11)
  }
}
