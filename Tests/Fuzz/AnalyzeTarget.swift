import Analysis
import CaptureReader
import Checks
import Exports
import FrameDecoder
import Regions
import Twin

/// The bytes are a file, analyzed twice in one run (two captures that overlap), and written in every
/// form. What is written must be well formed, and the numbers must agree with one another.
package enum AnalyzeTarget {
  /// As a hostile hand could name a file.
  static let names = ["=\"ca,p\"\u{1B}[31m\u{202E}.log", "second"]

  static let target = FuzzTarget(name: "analyze", seeds: { Seeds.files() }) { bytes in
    do {
      return try faults(bytes)
    } catch {
      return ["analysis ends with \(error)"]
    }
  }

  private static func faults(_ bytes: [UInt8]) throws -> [String] {
    var options = Analysis.Options()
    options.decoder.keepBadCRC = bytes.count % 2 == 0
    options.readsAhead = bytes.count % 5 < 2
    options.follow = follow(bytes.count)
    var sink = Fan()
    var analysis = Analysis(names.map { .bytes(bytes, name: $0) }, options: options)
    let result = try analysis.run(into: &sink)
    try sink.pause()
    var faults = sink.faults + sink.boardFaults
    let analyzed = Collected()
    try AnalysisJSON.write(result, to: analyzed)
    let informed = Collected()
    try InfoJSON.write(result, to: informed)
    faults += OutputCheck.json(analyzed.bytes, "analyze") + OutputCheck.json(informed.bytes, "info")
    faults += try events(result)
    let text = AnalysisText(style: Style(colour: false), showsAll: bytes.count % 3 == 0)
    let lines =
      text.lines(result) + InfoText.lines(result)
      + result.problems.map { ProblemText.line($0) }
    faults += lines.flatMap { OutputCheck.text(Array($0.utf8), "line") }
    faults += agreement(result, sightings: sink.sightings)
    faults += try withoutSink(bytes, options, analyzed.bytes)
    if options.decoder.keepBadCRC { return faults }
    let twin = TwinComparison.twin(of: Reading(bytes, decode: false))
    return faults + TwinComparison.differences(sink.ofFirst, from: twin.sightings)
  }

  /// One profile or two of those there are, with every kind of event.
  private static func follow(_ number: Int) -> FollowSettings {
    var settings = FollowSettings()
    let all = Profiles.all
    settings.profiles = [all[number % all.count]]
    if number % 2 == 0 { settings.profiles.append(all[(number + 1) % all.count]) }
    settings.wantsProximity = true
    settings.wantsLists = number % 3 == 0
    return settings
  }

  /// Every event in every form; each has an id of its own.
  private static func events(_ result: AnalysisResult) throws -> [String] {
    guard let timeline = result.timeline, let names = EventNames(result) else {
      return ["nothing was followed"]
    }
    var faults: [String] = []
    for export in EventExports.all {
      let written = Collected()
      var sink = export.open(written, 80)
      var count = 0
      try timeline.forEachBatch {
        count += $0.count
        try sink.take($0, names)
      }
      try sink.end()
      switch export.name {
      case "ndjson": faults += OutputCheck.ndjson(written.bytes, lines: count)
      case "csv": faults += OutputCheck.csv(written.bytes, rows: count)
      default: faults += OutputCheck.text(written.bytes, export.name)
      }
    }
    var before = Int64.min
    try timeline.forEachBatch { batch in
      for event in batch {
        if event.time.nanoseconds < before { faults.append("events are out of order") }
        before = event.time.nanoseconds
      }
    }
    return faults
  }

  /// Where nobody wants sightings repeats are only counted: the sums must not show it, nor whether
  /// the reader has a thread of its own.
  private static func withoutSink(
    _ bytes: [UInt8], _ options: Analysis.Options, _ document: [UInt8]
  ) throws -> [String] {
    var options = options
    options.readsAhead.toggle()
    // Told while it goes on, what falls due at one capture comes between what the other one has.
    options.follow?.listener = Audience()
    var analysis = Analysis(names.map { .bytes(bytes, name: $0) }, options: options)
    var sink = NoSink()
    let result = try analysis.run(into: &sink)
    let analyzed = Collected()
    try AnalysisJSON.write(result, to: analyzed)
    guard analyzed.bytes != document else { return [] }
    return difference("without sink", analyzed.bytes, "with one", document)
  }

  /// What is found in one capture does not depend on where batches end. Names of observers do, where there are several:
  /// the first has none of its own while it is alone. And where records make no sense, those of a batch that has been
  /// handed on are not looked into again for the one that took in others.
  /// - Parameter batch: most records that are decoded together.
  package static func batchFaults(_ bytes: [UInt8], batch: Int) -> [String] {
    var options = Analysis.Options()
    options.decoder.keepBadCRC = bytes.count % 2 == 0
    options.readsAhead = false
    options.follow = follow(bytes.count)
    do {
      let whole = try document(bytes, options)
      options.batch = batch
      let cut = try document(bytes, options)
      guard whole.isPlain, cut.bytes != whole.bytes else { return [] }
      return difference("in batches of \(batch)", cut.bytes, "in one", whole.bytes)
    } catch {
      return ["analysis ends with \(error)"]
    }
  }

  private static func document(
    _ bytes: [UInt8], _ options: Analysis.Options
  ) throws -> (bytes: [UInt8], isPlain: Bool) {
    var analysis = Analysis([.bytes(bytes, name: names[1])], options: options)
    var sink = NoSink()
    let result = try analysis.run(into: &sink)
    let analyzed = Collected()
    try AnalysisJSON.write(result, to: analyzed)
    let isDamaged = result.captures.contains { !$0.damage.isEmpty }
    return (analyzed.bytes, result.observers.count < 2 && !isDamaged)
  }

  /// The first place at which two documents differ.
  private static func difference(
    _ name: String, _ bytes: [UInt8], _ other: String, _ others: [UInt8]
  ) -> [String] {
    let place = zip(bytes, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let from = max(0, (place ?? min(bytes.count, others.count)) - 200)
    return [(name, bytes), (other, others)].map { name, bytes in
      "\(name): … \(String(decoding: bytes.dropFirst(from).prefix(300), as: UTF8.self))"
    }
  }

  private static func agreement(_ result: AnalysisResult, sightings: Int) -> [String] {
    var faults: [String] = []
    if result.captures.count + result.problems.count < names.count {
      faults.append("neither read nor refused")
    }
    for facts in result.captures {
      let sum = facts.accounting.classes.reduce(0) { $0 + $1.records }
      if sum != facts.accounting.records {
        faults.append("classes add up to \(sum) of \(facts.accounting.records)")
      }
    }
    let summaries = result.statistics.summaries()
    let devices = summaries.reduce(0) { $0 + $1.sources.reduce(0) { $0 + $1.sightings } }
    let sum = summaries.reduce(0) { $0 + $1.sightings }
    if sum != devices { faults.append("\(sum) sightings of beacons, \(devices) of transmitters") }
    if sum > sightings { faults.append("\(sum) sightings of beacons, \(sightings) in all") }
    return faults
  }
}

/// Hears everything, and keeps nothing.
private final class Audience: RunListener {
  func take(_: TimelineEvent, alert: Alert?, _: RunView) {}
  func take(_: ObserverNote, observer: Int, capture: UInt32, _: RunView) {}
  func reach(_: Timestamp, _: RunView) {}
}
