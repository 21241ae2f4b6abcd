import CaptureReader
import FrameDecoder

/// Eddystone-EIDs of a capture that are of none of the keys as their lines have them: when each was heard. Whose clock
/// was elsewhere is looked for at the end of a run alone.
public struct UnknownIdentifiers: Sendable {
  private struct Place: Hashable {
    let observer: Int
    let sent: UInt64
  }

  private struct Heard {
    let first: Timestamp
    let firstFrame: Int
    var last: Timestamp
    var lastFrame: Int
    let address: DeviceAddress

    mutating func goOn(_ time: Timestamp, _ frame: Int) { (last, lastFrame) = (time, frame) }
  }

  private var heard: [Place: Heard] = [:]

  /// Of more those are kept that came first.
  private static let most = 2_000

  /// Whether there are any.
  public var isEmpty: Bool { heard.isEmpty }

  mutating func take(_ sent: UInt64, _ report: borrowing AdvertisingReport) {
    guard report.time.isKnown else { return }
    let place = Place(observer: Int(report.observer), sent: sent)
    // Nearly always it is known: asked for once.
    if heard[place]?.goOn(report.time, report.frame) != nil { return }
    guard heard.count < Self.most else { return }
    heard[place] = Heard(
      first: report.time, firstFrame: report.frame, last: report.time, lastFrame: report.frame,
      address: report.address)
  }

  /// What is of a key after all, by observer and in their order: the first and the last sighting of each identifier.
  /// - Parameter slots: of which times of the key's clock they are.
  public func heard(_ slots: [UInt64: UInt32], period: Int64) -> [(
    observer: Int, heard: HeardIdentifiers
  )] {
    var moments: [Int: [HeardIdentifiers.Moment]] = [:]
    for (place, heard) in heard {
      guard let slot = slots[place.sent] else { continue }
      let ends = [(heard.first, heard.firstFrame), (heard.last, heard.lastFrame)]
      for (time, frame) in ends.prefix(heard.lastFrame == heard.firstFrame ? 1 : 2) {
        moments[place.observer, default: []].append(
          HeardIdentifiers.Moment(
            time: time, frame: frame, address: heard.address, sent: place.sent, slot: slot))
      }
    }
    return moments.sorted { $0.key < $1.key }.map { observer, moments in
      var heard = HeardIdentifiers(period: period)
      for moment in moments.sorted(by: { ($0.frame, $0.sent) < ($1.frame, $1.sent) }) {
        heard.take(moment)
      }
      return (observer, heard)
    }
  }
}
