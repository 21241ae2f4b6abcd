import Analysis
import CaptureReader
import Exports
import FrameDecoder
import Pseudonyms

/// The bytes are a capture, which is shared and read again: as many frames, nothing damaged, and the same
/// sightings and events by pseudonyms.
enum ShareTarget {
  static let target = FuzzTarget(name: "share", seeds: { Seeds.files() }) { bytes in
    do {
      return try faults(bytes)
    } catch {
      return []  // What cannot be read is not shared.
    }
  }

  private static func faults(_ bytes: [UInt8]) throws -> [String] {
    let source = CaptureSource.bytes(bytes, name: "original")
    let keepsGarbage = bytes.count % 2 == 0
    let names = Pseudonyms(secret: [UInt8](repeating: 7, count: Pseudonyms.secretBytes))
    let original = SharedTrace(names)
    let before = try run(source, keepsGarbage, original)
    let written = Collected()
    var output: any TextOutput = written
    let shared = try SharedCapture.write(
      source, names, keepsGarbage: keepsGarbage, to: &output)
    let trace = SharedTrace(nil)
    let after = try run(.bytes(written.bytes, name: "shared"), keepsGarbage, trace)
    var faults: [String] = []
    let records = before.captures.first?.accounting.records ?? 0
    if records != shared.frames || records != after.captures.first?.accounting.records ?? 0 {
      faults.append("\(shared.frames) frames shared of \(records)")
    }
    if let damage = after.captures.first?.damage.first {
      faults.append("the shared capture is damaged: \(damage.detail)")
    }
    // Times before 1970 are those of no pcapng.
    guard shared.withoutTime == 0, let difference = original.difference(from: trace, ["shared"])
    else { return faults }
    return faults + [difference]
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
