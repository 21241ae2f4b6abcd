package import Analysis
import Beacons
package import CaptureReader
import CaptureWriter

/// Frames of captures as one pcapng capture, by time, each with a comment on where it comes from. An interface
/// for each of the captures' own, and link type.
package struct FrameCut {
  private var sources: [CutSource] = []
  private var interfaces: [Interface: Int] = [:]
  private var writer = PcapngWriter(.little, [])
  private var bytes: [UInt8] = []
  /// Frames of which it is not known what packets they hold.
  package private(set) var unknown = 0
  package private(set) var written = 0

  private struct Interface: Hashable {
    let capture: Int
    let number: UInt16
    let linkType: UInt16
  }

  /// - Parameters:
  ///   - sources: the run's, by place; each can be read again.
  ///   - words: what was asked for.
  package static func write(
    _ frames: CutFrames, _ sources: [CaptureSource], _ result: AnalysisResult, words: String,
    to output: inout any TextOutput
  ) throws -> FrameCut {
    var cut = FrameCut()
    cut.bytes = cut.writer.header(comment: section(frames, result, words))
    for (place, numbers) in frames.frames.sorted(by: { $0.key < $1.key }) where !numbers.isEmpty {
      cut.sources.append(try CutSource(sources[place], place: place, numbers))
    }
    // A capture without a frame still is one of Bluetooth: HCI with a direction.
    if cut.sources.isEmpty {
      cut.bytes += cut.writer.add(
        PcapngWriter.Interface(linkType: 201, name: "none", resolution: 9))
    }
    while let next = cut.next() {
      try cut.append(from: next)
      if cut.bytes.count >= Exports.chunk { try cut.flush(to: &output) }
    }
    try cut.flush(to: &output)
    return cut
  }

  /// Whose frame comes next: each capture's own order is kept, whatever its clock does.
  private func next() -> Int? {
    var next: Int?
    for (place, source) in sources.enumerated() where source.record != nil {
      if next.map({ source.turn < sources[$0].turn }) ?? true { next = place }
    }
    return next
  }

  private mutating func append(from place: Int) throws {
    guard let record = sources[place].record else { return }
    let packet = PcapngPacket(record, sources[place].bytes)
    let name = TextColumns.printable(sources[place].name)
    let time = record.time.isKnown ? record.time.nanoseconds : -1
    if let packet {
      let interface = interface(
        Interface(
          capture: sources[place].place, number: record.interface, linkType: packet.linkType),
        sources[place].interfaceName(record.interface))
      var comment = "\(name) frame \(record.frame)"
      if sources[place].isContradicted {
        comment += "\nits time is contradicted by the frames before and after it, and is not used"
      }
      if time < 0 { comment += "\nwithout a time that pcapng can hold" }
      writer.append(
        Record(
          max(time, 0), packet.bytes,
          original: packet.bytes.count + max(0, Int(record.originalCount) - Int(record.count))),
        interface: interface, direction: packet.direction, comment: comment, to: &bytes)
      written += 1
    } else {
      unknown += 1
    }
    try sources[place].advance()
  }

  private mutating func interface(_ key: Interface, _ name: String) -> Int {
    if let known = interfaces[key] { return known }
    interfaces[key] = interfaces.count
    bytes += writer.add(
      PcapngWriter.Interface(
        linkType: key.linkType, name: TextColumns.printable(name), resolution: 9))
    return interfaces.count - 1
  }

  private mutating func flush(to output: inout any TextOutput) throws {
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private static let mostListed = 200

  /// What the frames are, and of which captures.
  private static func section(_ frames: CutFrames, _ result: AnalysisResult, _ words: String)
    -> String
  {
    var lines = [CutWords.chosen + TextColumns.printable(words)]
    let names = frames.frames.keys.sorted().map { result.captureNames[$0] }
    lines += Remarks.handedOn(
      result.captures.filter { names.contains($0.name) }, isNamed: true)
    for name in names.prefix(mostListed) {
      guard let facts = result.captures.first(where: { $0.name == name }) else { continue }
      let digest = facts.sha256.isEmpty ? "" : " sha256 \(HexText.string(facts.sha256))"
      let moved = Remarks.moved(facts).first.map { ": \($0.text)" } ?? ""
      lines.append(TextColumns.printable(name + digest + moved))
    }
    if names.count > mostListed { lines.append("and \(names.count - mostListed) more") }
    return String(lines.joined(separator: "\n").prefix(15_000))
  }
}

/// The frames of one capture, one at a time.
private final class CutSource {
  let name: String
  let place: Int
  private let reader: CaptureReader
  private var batch = RecordBatch()
  private var numbers: ArraySlice<Int>
  /// Of the batch, the next one to look at.
  private var at = 0
  /// The frame under way; nil at the end.
  private(set) var record: CaptureRecord?
  /// Whether its time was not believed.
  private(set) var isContradicted = false
  private(set) var bytes: [UInt8] = []
  /// When it takes its turn: its time, or a later one that came before it.
  private(set) var turn = Int64.min

  init(_ source: CaptureSource, place: Int, _ numbers: [Int]) throws(CaptureProblem) {
    name = source.name
    self.place = place
    self.numbers = numbers[...]
    reader = try CaptureReader.open(source, isHashed: false)
    try advance()
  }

  /// The capture's; where that has several interfaces, with theirs.
  func interfaceName(_ number: UInt16) -> String {
    guard reader.log.interfaces.count > 1 else { return name }
    let known = reader.log.interfaces.indices.contains(Int(number))
    return "\(name)/"
      + (known ? reader.log.interfaces[Int(number)].name ?? "\(number)" : "\(number)")
  }

  func advance() throws(CaptureProblem) {
    record = nil
    while let wanted = numbers.first {
      while at < batch.records.count {
        let found = batch.records[at]
        at += 1
        guard found.frame >= wanted else { continue }
        numbers.removeFirst()
        // It was there when it was read before.
        guard found.frame == wanted else { break }
        record = found
        record?.time = reader.writtenTime(of: found)
        isContradicted = record?.time != found.time
        turn = found.time.isKnown ? max(turn, found.time.nanoseconds) : turn
        let range = Int(found.start)..<(Int(found.start) + Int(found.count))
        bytes = reader.withBytes { $0.extracting(range).array() }
        return
      }
      guard at >= batch.records.count else { continue }
      guard try reader.next(into: &batch) else { return }
      at = 0
    }
  }
}
