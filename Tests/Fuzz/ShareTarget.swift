import Analysis
import CaptureReader
import Exports
import FrameDecoder
import Pseudonyms
import Synchronization

/// The bytes are a capture, which is shared and read again: as many frames, and nothing damaged.
package enum ShareTarget {
  static let target = FuzzTarget(name: "share", seeds: { Seeds.files() }) { bytes in
    faults(bytes, comparing: false)
  }

  /// - Parameter comparing: whether sightings and events have to be the same, too, by pseudonyms. Of what
  ///   somebody made to be read in two ways they may not be: `share` says so of itself.
  package static func faults(_ bytes: [UInt8], comparing: Bool) -> [String] {
    known.withLock { names in
      do {
        // So many values are enough to be remembered.
        if names.entries > 50_000 { names = Names() }
        return try faults(bytes, names.pseudonyms, comparing: comparing)
      } catch {
        return []  // What cannot be read is not shared.
      }
    }
  }

  /// What is made for one input is there for the next one: making it takes most of the time.
  private static let known = Mutex(Names())

  private struct Names {
    let pseudonyms = Pseudonyms(secret: [UInt8](repeating: 7, count: Pseudonyms.secretBytes))
    var entries: Int { pseudonyms.count }
  }

  private static func faults(
    _ bytes: [UInt8], _ names: Pseudonyms, comparing: Bool
  ) throws -> [String] {
    let source = CaptureSource.bytes(bytes, name: "original")
    let keepsGarbage = bytes.count % 2 == 0
    let original = SharedTrace(names)
    let before = try run(source, keepsGarbage, original)
    let written = Collected()
    var output: any TextOutput = written
    let shared = try SharedCapture.write(
      source, names, keepsGarbage: keepsGarbage,
      earliest: before.captures.first?.span.earliest ?? .none, to: &output)
    let trace = SharedTrace(nil)
    let after = try run(.bytes(written.bytes, name: "shared"), keepsGarbage, trace)
    var faults: [String] = []
    guard let records = before.captures.first?.accounting.records else { return [] }
    if records != shared.frames || records != after.captures.first?.accounting.records ?? 0 {
      faults.append("\(shared.frames) frames shared of \(records)")
    }
    if let damage = after.captures.first?.damage.first {
      faults.append("the shared capture is damaged: \(damage.detail)")
    }
    guard comparing else { return faults }
    // The first second of 64 bits has no whole one before it, which pcapng counts from.
    if let earliest = before.captures.first?.span.earliest, earliest.isKnown,
      earliest.nanoseconds < Int64.min / 1_000_000_000 * 1_000_000_000
    {
      return faults
    }
    return faults + [original.difference(from: trace, ["shared"])].compactMap { $0 }
  }

  private static func run(
    _ source: CaptureSource, _ keepsGarbage: Bool, _ trace: SharedTrace
  ) throws -> AnalysisResult {
    var options = Analysis.Options()
    options.decoder.keepBadCRC = keepsGarbage
    options.readsAhead = false
    var follow = FollowSettings()
    follow.wantsProximity = true
    options.follow = follow
    var sink = SinkBox(trace)
    var analysis = Analysis([source], options: options)
    let result = try analysis.run(into: &sink)
    try trace.take(result)
    return result
  }
}
