package import Analysis
package import CaptureReader
import CaptureWriter
import FrameDecoder
package import Pseudonyms

/// A capture as it may be handed on: pcapng, each frame with its number, its time and its length, and pseudonyms
/// in the place of what says who it was.
package struct SharedCapture {
  /// Frames written: all that the capture has.
  package private(set) var frames = 0
  /// Frames of which it is not known what they are: their bytes are left out.
  package private(set) var unknown = 0
  /// Positions of the radio, which are left out.
  package private(set) var positions = 0

  /// Frames of which something was made zeros, by `Zeroed`.
  package private(set) var zeroed = [Int](repeating: 0, count: Zeroed.allCases.count)
  /// What pcapng says beside packets, without what is said again.
  package private(set) var unread = UnreadWords()
  package private(set) var comments = 0
  /// Of interfaces.
  package private(set) var names = 0

  private var writer = PcapngWriter(.little, [])
  private var interfaces: [Interface: Int] = [:]
  /// By interface of the capture: the first one of its own.
  private var firstInterfaces: [UInt16: Int] = [:]
  private var lost: [Int: UInt64] = [:]
  private var bytes: [UInt8] = []
  private var latest: Int64 = 0

  private struct Interface: Hashable {
    let number: UInt16
    let linkType: UInt16
  }

  private enum Item {
    case packet(CaptureRecord, direction: UInt32, original: Int, linkType: UInt16)
    case mark(CaptureMark)
  }

  /// Seconds that all its times are moved by, where some are before 1970; nil: none is.
  private var offset: Int64?

  /// - Parameter earliest: of its times.
  private init(earliest: Timestamp) {
    guard earliest.isKnown, earliest.nanoseconds < 0 else { return }
    // Not beyond the first whole second of 64 bits.
    offset = max(earliest.nanoseconds / 1_000_000_000 - 1, Int64.min / 1_000_000_000)
  }

  /// - Parameters:
  ///   - source: can be read again.
  ///   - keepsGarbage: packets of the air with a wrong checksum are not zeros.
  ///   - earliest: of its times.
  ///   - damage: what is wrong with the original; nil: it is whole.
  ///   - facts: what the original says of itself.
  package static func write(
    _ source: CaptureSource, _ names: Pseudonyms, keepsGarbage: Bool, earliest: Timestamp,
    damage: String? = nil, facts: CaptureFacts? = nil, to output: inout any TextOutput
  ) throws -> SharedCapture {
    var shared = SharedCapture(earliest: earliest)
    let own = """
      \(CutWords.shared)addresses, identifiers and names are pseudonyms, other payloads are \
      scrambled, what is not about advertising is zeros. Frames keep their numbers, times and lengths\
      \(source.correction.isNone ? "" : ", but for a clock that was moved").\
      \(damage.map { " The original is damaged: \($0)." } ?? "")
      """
    let handedOn = Remarks.handedOn(facts.map { [$0] } ?? [], isNamed: false)
    shared.bytes = shared.writer.header(
      comment: ([own] + handedOn.filter { !$0.hasPrefix(CutWords.shared) }).joined(separator: "\n"))
    let reader = try CaptureReader.open(source, isHashed: false)
    var batch = RecordBatch()
    var queue = RewritingQueue<Item>(names, keepsGarbage: keepsGarbage)
    while try reader.next(into: &batch) {
      shared.positions += reader.log.fixes.count
      for place in 0..<batch.records.count {
        var record = batch.records[place]
        if record.time.isKnown { shared.latest = record.time.nanoseconds }
        let time = record.time
        record.time = reader.writtenTime(of: record)
        let range = Int(record.start)..<(Int(record.start) + Int(record.count))
        shared.take(
          record, reader.withBytes { $0.extracting(range).array() }, at: time, into: &queue)
      }
      for mark in reader.log.marks {
        queue.add(
          [], linkType: 0, interface: 0, time: .none, .mark(mark))
      }
      while let next = queue.next() { shared.put(next.bytes, next.context, reader.log) }
      if shared.bytes.count >= Exports.chunk { try shared.flush(to: &output) }
    }
    queue.end()
    while let next = queue.next() { shared.put(next.bytes, next.context, reader.log) }
    shared.addInterfaces(reader.log)
    shared.positions += queue.positions
    shared.zeroed = queue.zeroed
    shared.count(reader.log)
    try shared.flush(to: &output)
    return shared
  }

  private mutating func count(_ log: ContainerLog) {
    unread = log.unread
    // Whoever wrote it anew says so in one, and that is said again.
    let own = CutWords.all + [CutWords.shared]
    let repeated = log.comments.count { comment in own.contains { comment.hasPrefix($0) } }
    comments = max(0, log.unread.comments - repeated)
    names = log.interfaces.compactMap(\.name).count { !Self.isPlain($0) }
  }

  private mutating func take(
    _ record: CaptureRecord, _ bytes: [UInt8], at time: Timestamp,
    into queue: inout RewritingQueue<Item>
  ) {
    frames += 1
    let packet = record.fault == .none ? PcapngPacket(record, bytes) : nil
    if packet == nil { unknown += 1 }
    let data = packet?.bytes ?? []
    let linkType = packet?.linkType ?? Self.linkType(record.link)
    queue.add(
      data, linkType: linkType, interface: Int(record.interface), time: time,
      .packet(
        record, direction: packet?.direction ?? 0,
        original: data.count + max(0, Int(record.originalCount) - Int(record.count)),
        linkType: linkType))
  }

  /// What pcapng calls the packets of a container of another kind.
  private static func linkType(_ link: LinkType) -> UInt16 {
    switch link {
    case .btsnoopMonitor: 254
    case .btsnoopH1, .btsnoopH4, .packetLogger: 201
    default: link.number.flatMap { UInt16(exactly: $0) } ?? 201
    }
  }

  private mutating func put(_ data: [UInt8], _ item: Item, _ log: ContainerLog) {
    switch item {
    case .packet(let record, let direction, let original, let linkType):
      let interface = interface(record.interface, linkType, log)
      let start = bytes.count
      writer.append(
        Record(
          record.time.isKnown ? max(first, record.time.nanoseconds) : first, data,
          original: original),
        interface: interface, direction: direction, to: &bytes)
      if !record.time.isKnown { blankTime(of: start) }
    case .mark(let mark): put(mark, log)
    }
  }

  /// A moment that no clock has, in the place of none: u64 behind type, length and interface of a block.
  private mutating func blankTime(of block: Int) {
    for place in (block + 12)..<(block + 20) { bytes[place] = 0xFF }
  }

  /// Losses and pauses, as interface statistics.
  private mutating func put(_ mark: CaptureMark, _ log: ContainerLog) {
    let place = Int(mark.interface)
    let link = log.interfaces.indices.contains(place) ? log.interfaces[place].link : .none
    let interface =
      firstInterfaces[mark.interface] ?? interface(mark.interface, Self.linkType(link), log)
    let time = max(first, mark.time.isKnown ? mark.time.nanoseconds : latest)
    var options: [UInt8] = []
    switch mark.kind {
    case .off: options = writer.moment(3, time, interface: interface)
    case .on: options = writer.moment(2, time, interface: interface)
    case .lost:
      lost[interface, default: 0] &+= mark.count
      // Without these words it was lost at some time since the last count.
      if !mark.since.isKnown {
        options = writer.option(1, Array("\(mark.count) packets lost: as the capture has it".utf8))
      }
      let sum = lost[interface, default: 0]
      options += writer.option(7, (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) })
    }
    let start = bytes.count
    bytes += writer.statistics(interface: interface, at: time, options: options)
    if !mark.time.isKnown { blankTime(of: start) }
  }

  private mutating func interface(_ number: UInt16, _ linkType: UInt16, _ log: ContainerLog) -> Int
  {
    let key = Interface(number: number, linkType: linkType)
    if let known = interfaces[key] { return known }
    let place = interfaces.count
    interfaces[key] = place
    if firstInterfaces[number] == nil { firstInterfaces[number] = place }
    let name = log.interfaces.indices.contains(Int(number)) ? log.interfaces[Int(number)].name : nil
    bytes += writer.add(
      PcapngWriter.Interface(
        linkType: linkType, name: name.flatMap { Self.isPlain($0) ? $0 : nil }, resolution: 9,
        offset: offset))
    return place
  }

  /// Of a capture without a packet: a file without an interface is no capture of Bluetooth.
  private mutating func addInterfaces(_ log: ContainerLog) {
    guard interfaces.isEmpty else { return }
    for place in log.interfaces.indices where LinkTypes.isSupported(log.interfaces[place].link) {
      _ = interface(UInt16(place), Self.linkType(log.interfaces[place].link), log)
    }
  }

  /// The first moment that it can hold, nanoseconds.
  private var first: Int64 { (offset ?? 0) * 1_000_000_000 }

  /// What the kernel calls interfaces: not the path of somebody's serial port, nor what somebody called it.
  private static func isPlain(_ name: String) -> Bool {
    name == "bluetooth-monitor" || name.contains(/^(hci|bluetooth|usbmon)[0-9]{1,5}$/)
  }

  private mutating func flush(to output: inout any TextOutput) throws {
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
