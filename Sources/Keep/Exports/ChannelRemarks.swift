import Analysis
import FrameDecoder

/// What air sniffers heard on several advertising channels, and twice.
extension Remarks {
  private static let mostSniffers = 3

  /// Sightings are packets: an advertising event has one on each channel, and intervals and losses are of events. Not
  /// where a sniffer goes from channel to channel, and hears an event once.
  static func packetsCounted(_ result: AnalysisResult) -> [Remark] {
    var heard: [String: HeardChannels] = [:]
    for observer in result.captures.flatMap(\.observers) where !observer.carriesHCI {
      heard[observer.name, default: HeardChannels()].add(observer.channels)
    }
    let sniffers = heard.filter { $0.value.channels.map { $0.count > 1 } ?? false }.keys.sorted()
    guard !sniffers.isEmpty else { return [] }
    let numbers = result.observers.indices.filter { sniffers.contains(result.observers[$0]) }
    let (sightings, events) = result.statistics.events(heardBy: Set(numbers))
    guard sightings * 10 > events * 11 else { return [] }
    let more = sniffers.count - mostSniffers
    let names =
      sniffers.prefix(mostSniffers).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let channels = Set(sniffers.compactMap { heard[$0]?.channels }.joined()).sorted()
    return [
      Remark(
        "packets_counted",
        "\(names) heard \(words(channels)), on each of which an advertising event has a packet. Each packet is a "
          + "sighting: \(TextColumns.counted(sightings, "sighting")) there, of about "
          + "\(TextColumns.counted(events, "event")). Intervals and losses are of events.")
    ]
  }

  /// `advertising channel 37`, `advertising channels 37, 38 and 39`
  static func words(_ channels: [Int]) -> String {
    let names = channels.map { "\($0)" }
    guard names.count > 1 else { return "advertising channel \(names.joined())" }
    return "advertising channels \(names.dropLast().joined(separator: ", ")) and "
      + names[names.count - 1]
  }

  /// Fewer may be two devices of one address.
  private static let fewestDoubled = 20

  static func doubled(_ facts: CaptureFacts) -> [Remark] {
    facts.observers.compactMap { observer in
      guard observer.doubled >= fewestDoubled, observer.doubled * 10 >= observer.reports else {
        return nil
      }
      return Remark(
        "packets_doubled", capture: facts.name,
        "\(TextColumns.grouped(observer.doubled)) of \(TextColumns.grouped(observer.reports)) packets of "
          + "\(observer.name) are the one before once more, on the same channel within 1 ms, which no sender has: what "
          + "several sniffers heard was put together, or recorded twice. All of them count as sightings."
      )
    }
  }
}
