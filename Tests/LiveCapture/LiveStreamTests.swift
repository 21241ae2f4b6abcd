import CaptureReader
import CaptureWriter
import TestSupport
import Testing

@testable import LiveCapture

private final class Notes: ItemRecorder {
  var items: [Passed] = []
  var frames: [Int] = []
  var pauses = 0
  var ends = 0

  func take(_ item: CaptureItem, frame: Int) {
    items.append(Passed(item))
    frames.append(frame)
  }
  func pause() { pauses += 1 }
  func end() { ends += 1 }
}

@Suite("A capture that is being made, as bytes") struct LiveStreamTests {
  static let interface = {
    var interface = PcapngWriter.Interface(linkType: 254, name: "bluetooth-monitor", resolution: 9)
    interface.snapLength = 262_144
    return interface
  }()

  static let time: Int64 = 1_700_000_000_123_456_789

  static let items: [CaptureItem] = [
    .packet(Record(time, [0, 0, 0, 3, 4, 0x3E, 1]), interface: 0, direction: .controllerToHost),
    .lost(12, interface: 0, nanoseconds: time + 1, by: .kernel),
    .packet(Record(time + 2, [], original: 30), interface: 0, direction: .unknown),
    .off(interface: 0, nanoseconds: time + 3),
    .on(interface: 0, nanoseconds: time + 4),
    .lost(3, interface: 0, nanoseconds: time + 5, by: .kernel),
    .packet(
      Record(time + 6, (0..<200).map { UInt8($0) }, original: 500), interface: 0,
      direction: .hostToController),
  ]

  private func put(_ items: [CaptureItem], into ring: RecordRing) {
    for item in items {
      switch item {
      case .packet(let record, let interface, let direction):
        ring.put(
          record.data.span, nanoseconds: record.nanoseconds,
          original: Int(record.originalCount), interface: interface, direction: direction)
      case .lost(let count, let interface, let time, _):
        ring.lost(count, interface: interface, nanoseconds: time)
      case .off(let interface, let time): ring.off(interface: interface, nanoseconds: time)
      case .on(let interface, let time): ring.on(interface: interface, nanoseconds: time)
      }
    }
    ring.close()
  }

  private func read(_ stream: LiveStream, by count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      switch unsafe buffer.withUnsafeMutableBytes({ unsafe stream.read(into: $0) }) {
      case .bytes(let some): bytes += buffer[..<some]
      case .nothing: continue
      case .ended: return bytes
      }
    }
  }

  @Test("is the pcapng of its items, in portions of any size", arguments: [1, 7, 64, 1 << 20])
  func bytes(portion: Int) {
    var encoder = PcapngStream([Self.interface])
    var expected = encoder.header
    for item in Self.items { encoder.append(item, to: &expected) }
    let ring = RecordRing(capacity: 1 << 16)
    put(Self.items, into: ring)
    let stream = LiveStream(ring, name: "x", interfaces: [Self.interface])
    #expect(read(stream, by: portion) == expected)
  }

  @Test("goes through recorders on its way, with the frames that the analysis will count")
  func recorders() {
    let ring = RecordRing(capacity: 1 << 16)
    let notes = [Notes(), Notes()]
    put(Self.items, into: ring)
    let stream = LiveStream(
      ring, name: "x", interfaces: [Self.interface], recorders: notes)
    _ = read(stream, by: 100)
    _ = read(stream, by: 100)
    for note in notes {
      #expect(note.items == Self.items.map { Passed($0) })
      #expect(note.frames == [1, 1, 2, 2, 2, 2, 3])
      #expect(note.ends == 1)
    }
  }

  @Test("reads back as the packets that were put")
  func parsed() throws {
    var random = Seeded(9)
    let ring = RecordRing(capacity: 4 << 20)
    let packets = (0..<3000).map { number in
      CaptureItem.packet(
        Record(Self.time + Int64(number) * 1001, random.bytes(1 + random.below(300))),
        interface: 0, direction: number % 2 == 0 ? .controllerToHost : .hostToController)
    }
    var items = packets
    items.insert(.lost(5, interface: 0, nanoseconds: Self.time, by: .kernel), at: 100)
    items.insert(.off(interface: 0, nanoseconds: Self.time), at: 200)
    items.insert(.on(interface: 0, nanoseconds: Self.time), at: 201)
    put(items, into: ring)
    let reader = try CaptureReader.open(
      .live(LiveStream(ring, name: "bluetooth-monitor", interfaces: [Self.interface])))
    #expect(reader.name == "bluetooth-monitor")
    #expect(reader.format == "pcapng")
    var found: [Passed] = []
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      for index in 0..<batch.records.count {
        let record = batch.records[index]
        #expect(record.link == .linuxMonitor)
        #expect(record.frame == found.count + 1)
        let data = reader.withBytes { bytes in
          (0..<Int(record.count)).map { bytes.unsafeByte(Int(record.start) + $0) }
        }
        let direction: CaptureItem.Direction =
          record.direction == .controllerToHost ? .controllerToHost : .hostToController
        found.append(
          .packet(
            data, record.time.nanoseconds, original: Int(record.originalCount), direction))
      }
    }
    #expect(found == packets.map { Passed($0) })
  }

  @Test("says how far the clock has come only when nothing is left to be read")
  func quiet() {
    let ring = RecordRing(capacity: 1 << 16)
    let notes = Notes()
    let stream = LiveStream(
      ring, name: "x", interfaces: [Self.interface], recorders: [notes])
    var buffer = [UInt8](repeating: 0, count: 1000)
    func once() -> LiveRead {
      unsafe buffer.withUnsafeMutableBytes { unsafe stream.read(into: $0) }
    }
    guard case .bytes = once() else { return #expect(Bool(false), "the header comes first") }
    guard case .nothing(let unknown) = once() else { return #expect(Bool(false), "nothing yet") }
    #expect(!unknown.isKnown)
    ring.put(1)
    ring.drained(until: 1234)
    #expect(notes.pauses == 1)
    guard case .bytes = once() else { return #expect(Bool(false), "the packet comes before") }
    // Before its bytes were handed on.
    #expect(notes.pauses == 2)
    guard case .nothing(let moment) = once() else { return #expect(Bool(false), "all is read") }
    #expect(moment.nanoseconds == 1234)
    #expect(notes.pauses == 3)
    #expect(notes.ends == 0)
  }

  @Test("ends by itself where nobody ever began to capture")
  func noProducer() {
    let ring = RecordRing(capacity: 1 << 16)
    let notes = Notes()
    let stream = LiveStream(
      ring, name: "x", interfaces: [Self.interface], recorders: [notes])
    ring.put(1)
    stream.stop()
    #expect(!read(stream, by: 100).isEmpty)
    #expect(notes.items == [passed(1)])
    #expect(notes.ends == 1)
  }

  @Test("encodes packets as it does their items", arguments: [nil, 6, 9, 0x8A] as [UInt8?])
  func samePackets(resolution: UInt8?) {
    var interface = Self.interface
    interface.resolution = resolution
    var random = Seeded(4)
    for _ in 0..<50 {
      let record = Record(
        Int64(random.below(1 << 60)), random.bytes(random.below(70)),
        original: random.once(in: 2) ? 99 : nil)
      let direction = CaptureItem.Direction(rawValue: UInt32(random.below(3)))!
      var stream = PcapngStream([interface])
      var item: [UInt8] = []
      var span: [UInt8] = []
      stream.append(.packet(record, interface: 0, direction: direction), to: &item)
      stream.append(
        record.data.span, nanoseconds: record.nanoseconds, original: record.originalCount,
        interface: 0, direction: direction, to: &span)
      #expect(span == item)
    }
  }
}

extension RawSpan {
  fileprivate func unsafeByte(_ offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
