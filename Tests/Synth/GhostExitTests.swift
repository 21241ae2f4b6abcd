import CaptureReader
import Regions
import Synth
import Testing

/// Exits of beacons that are there all the time: packets are lost, and now and then all of them for as
/// long as the exit period. `gone` says that this has a chance of 0.05 at most.
@Suite(.timeLimit(.minutes(60)))
struct GhostExitTests {
  private static let uuid = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
  /// Milliseconds between advertisements, off the exit periods' round numbers; and how many beacons.
  private static let kinds: [(interval: Int, count: Int)] = [(103, 1), (1007, 4), (5011, 8)]
  private static let periods = [3, 5, 10, 20, 30]
  private static let seconds = 2400

  private static func scenario(loss: Double) -> String {
    var beacons: [String] = []
    for (kind, (interval, count)) in kinds.enumerated() {
      for number in 0..<count {
        beacons.append(
          """
          {"name": "\(kind)-\(number)", "kind": "ibeacon", "uuid": "\(uuid)", "major": \(kind), \
          "minor": \(number), "at": [1, \(number)], "interval_ms": \(interval)}
          """)
      }
    }
    return """
      {"name": "still", "duration_s": \(seconds), "observer": [[0, 0, 0]],
      "radio": {"noise_db": 0, "loss": \(loss)}, "beacons": [\(beacons.joined(separator: ","))]}
      """
  }

  /// A region for each beacon and exit period, named after its kind and the period.
  private static func follow(_ site: Site, _ kind: Int, _ period: Int) throws -> [Visit] {
    let names = (0..<kinds[kind].count).map { "\(kind)-\($0)" }
    let followed = try Followed(
      site,
      regions: names.enumerated().map { "\($1)=ibeacon:\(uuid):\(kind):\($0)" },
      exitAfter: Int64(period))
    return names.flatMap { followed.stays(in: $0) }.filter { !$0.isOpen }
  }

  @Test(arguments: [0, 0.1, 0.3, 0.6], [UInt64(1), 2])
  func falseClaimsThatABeaconIsGoneStayBelowTheirChance(_ loss: Double, _ seed: UInt64) throws {
    let scenario = try Scenario(json: Array(Self.scenario(loss: loss).utf8))
    let site = try Site(scenario, try RecordingForm(container: "btsnoop"), seed: seed)
    var thin = 0
    for (kind, (interval, count)) in Self.kinds.enumerated() {
      // Each packet that arrives begins a silence.
      let silences = Double(Self.seconds * 1000 * count / interval) * (1 - loss)
      for period in Self.periods {
        let grades = try Self.follow(site, kind, period).compactMap { $0.silence?.grade }
        let gone = Double(grades.count { $0 == .gone })
        thin += grades.count { $0 == .thin }
        #expect(!grades.contains(.deaf))
        // Below three intervals p = loss^(P / interval) takes parts of a packet for lost, and is too
        // small; a hint says there that lost packets will look like exits.
        guard period * 1000 >= 3 * interval else { continue }
        // Three standard deviations of as many chances of 0.05.
        let allowed = 0.05 * silences + 3 * (0.05 * 0.95 * silences).squareRoot()
        #expect(
          gone <= allowed,
          "seed \(seed), loss \(loss), every \(interval) ms, exit after \(period) s")
      }
    }
    // Every silence of the slowest is longer than the shortest period.
    #expect(thin > 1000)
  }
}
