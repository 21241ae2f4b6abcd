import CaptureReader
import CaptureWriter

/// A capture that is replayed: where its records come from, one after the other.
final class ReplayFile {
  /// Of the packet taken last, or the first of all: nanoseconds. A packet without a time comes right
  /// behind the one before.
  private(set) var latest: Int64
  /// By the capture's interface and its link type: the replay's own number.
  private var numbers: [Key: Int] = [:]
  private var reader: CaptureReader
  private var batch = RecordBatch()
  private var next = 0
  private var hasEnded = false

  struct Key: Hashable {
    let interface: UInt16
    let link: ReplayLink
  }

  /// What a look through the whole capture found.
  struct Outline {
    var interfaces: [(key: Key, name: String?)] = []
    /// Of all interfaces of the capture, packets or none, by their numbers there.
    var names: [String?] = []
    var first = Timestamp.none
    var last = Timestamp.none
    var packets = 0
    /// Records that are no packets.
    var others = 0
    /// What was damaged in it, a sentence; empty for nothing.
    var damage = ""
  }

  /// - Parameters:
  ///   - firstNumber: the replay's number of its first interface.
  ///   - start: nanoseconds, for packets without a time where no time is known.
  init(_ source: CaptureSource, _ outline: Outline, firstNumber: Int, start: Int64)
    throws(CaptureProblem)
  {
    latest = outline.first.isKnown ? outline.first.nanoseconds : start
    reader = try CaptureReader.open(source)
    for (place, interface) in outline.interfaces.enumerated() {
      numbers[interface.key] = firstNumber + place
    }
  }

  /// Reads a capture through, to know beforehand what it holds.
  static func outline(of source: CaptureSource) throws(CaptureProblem) -> Outline {
    let reader = try CaptureReader.open(source)
    guard !reader.mayWait else {
      throw CaptureProblem(
        .cannotOpen, capture: source.name, detail: "is no file: what is replayed is read twice",
        remedy: "Write it to a file first.")
    }
    var outline = Outline()
    var batch = RecordBatch()
    var known: Set<Key> = []
    while try reader.next(into: &batch) {
      for place in 0..<batch.records.count {
        let record = batch.records[place]
        guard let link = ReplayLink(record.link) else {
          outline.others += 1
          continue
        }
        outline.packets += 1
        let key = Key(interface: record.interface, link: link)
        if known.insert(key).inserted { outline.interfaces.append((key, nil)) }
        guard record.time.isKnown else { continue }
        if !outline.first.isKnown { outline.first = record.time }
        if record.time.nanoseconds > outline.last.nanoseconds { outline.last = record.time }
      }
    }
    let damages = ProblemCode.damaging.compactMap { reader.log.notes[$0] }
    if let first = damages.min(by: { $0.firstOffset < $1.firstOffset }) {
      outline.damage =
        "is damaged: \(first.detail) (near frame \(first.firstFrame)); "
        + "what can be read of it is replayed"
    }
    let names = reader.log.interfaces.map(\.name)
    outline.names = names
    for place in outline.interfaces.indices {
      let number = Int(outline.interfaces[place].key.interface)
      outline.interfaces[place].name = number < names.count ? names[number] : nil
    }
    return outline
  }

  /// Losses and pauses that stand before the next packet, in their order.
  private var marks: [CaptureMark] = []

  /// Time of the next packet; nil at the end.
  func nextTime() throws(CaptureProblem) -> Timestamp? {
    while !hasEnded {
      while next < batch.records.count {
        let record = batch.records[next]
        if ReplayLink(record.link) != nil { return record.time }
        next += 1
      }
      next = 0
      // Those of the batch that is done: they stand behind its last record.
      marks += reader.log.marks
      if try !reader.next(into: &batch) { hasEnded = true }
    }
    return nil
  }

  /// What stands before the packet whose time `nextTime` said, and at the end, once.
  func takeMarks(_ body: (_ mark: CaptureMark, _ interface: Int) -> Void) {
    guard !marks.isEmpty else { return }
    for mark in marks {
      // An interface may have several numbers, by what its packets are: it is told of one.
      let those = numbers.filter { $0.key.interface == mark.interface }.map(\.value)
      if let number = those.min() { body(mark, number) }
    }
    marks.removeAll(keepingCapacity: true)
  }

  /// Lends the packet whose time `nextTime` said, and goes on.
  func take(_ body: (_ record: CaptureRecord, _ interface: Int, _ bytes: [UInt8]) -> Void) {
    let record = batch.records[next]
    next += 1
    if record.time.isKnown { latest = record.time.nanoseconds }
    guard let link = ReplayLink(record.link),
      let number = numbers[Key(interface: record.interface, link: link)]
    else { return }
    var packet = ReplayLink.head(of: record)
    reader.withBytes { bytes in
      for place in Int(record.start)..<Int(record.start + record.count) {
        packet.append(bytes.u8(place))
      }
    }
    body(record, number, packet)
  }
}
