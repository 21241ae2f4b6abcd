import CaptureReader
import CaptureWriter
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LiveCapture

@Suite("A replay", .timeLimit(.minutes(60))) struct ReplayLoopTests {
  static let start: Int64 = 1_700_000_000_000_000_000
  static let second: Int64 = 1_000_000_000

  /// Files that go with their owner.
  final class Folder {
    let place = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID())")

    init() throws {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: place) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
      let file = place.appending(path: name)
      try Data(bytes).write(to: file)
      return file.path(percentEncoded: false)
    }

    /// HCI packets at seconds, whose last byte is their number.
    func pcap(_ name: String, _ seconds: [Double]) throws -> String {
      try file(
        name,
        PcapWriter(linkType: 187).file(
          seconds.enumerated().map { number, second in
            Record(start + Int64(second * 1000) * 1_000_000, [4, 0xFF, 1, UInt8(number)])
          }))
    }
  }

  /// A packet as it came out: second since `start`, number, interface.
  struct Heard: Equatable, CustomStringConvertible {
    let second: Double
    let number: Int
    var interface = 0
    var description: String { "\(number) at \(second) of \(interface)" }
  }

  /// What comes out of a ring until it is closed, or until there are so many.
  /// - Parameter seen: called with what the clock said before each packet, and the packet's time.
  private func packets(
    _ ring: RecordRing, most: Int = .max, seen: (Int64, Int64) -> Void = { _, _ in }
  ) -> [Heard] {
    var heard: [Heard] = []
    // Of value where the ring was found empty behind it.
    var said = Int64.min
    while true {
      ring.wait()
      let isClosed = ring.isClosed
      let moment = ring.drainedMoment
      var isEmpty = true
      while case .packet(let record, let interface, _)? = ring.next() {
        isEmpty = false
        seen(said, record.nanoseconds)
        heard.append(
          Heard(
            second: Double((record.nanoseconds - Self.start) / 1_000_000) / 1000,
            number: Int(record.data.last ?? 0), interface: interface))
        if heard.count == most { return heard }
      }
      guard isEmpty else { continue }
      if isClosed { return heard }
      said = moment
    }
  }

  private func start(_ loop: ReplayLoop) -> RecordRing {
    let ring = RecordRing(capacity: 1 << 16)
    loop.start(into: ring) { Issue.record("\($0)") }
    return ring
  }

  @Test("gives every packet once, in order, at any pace", arguments: [nil, 100, 1_000_000])
  func order(_ times: Double?) throws {
    let folder = try Folder()
    let seconds = (0..<200).map { Double($0) / 100 }
    let loop = try ReplayLoop(
      [folder.pcap("x.pcap", seconds)], names: ["x"], pace: times.map { .times($0) } ?? .most,
      isEndless: false)
    #expect(loop.packets == 200)
    #expect(loop.first.nanoseconds == Self.start)
    #expect(loop.last.nanoseconds == Self.start + 1_990_000_000)
    let heard = packets(start(loop)) { moment, time in
      // The clock never said that it is later than what is still to come.
      #expect(moment <= time)
    }
    #expect(heard == seconds.enumerated().map { Heard(second: $1, number: $0) })
  }

  @Test("puts captures together by time, each with interfaces of its own")
  func several() throws {
    let folder = try Folder()
    let loop = try ReplayLoop(
      [folder.pcap("a.pcap", [1, 2, 2, 7]), folder.pcap("b.pcap", [0, 2, 3, 9])],
      names: ["a", "b"], pace: .most, isEndless: false)
    #expect(loop.interfaces.map(\.name) == ["a", "b"])
    #expect(loop.interfaces.map(\.linkType) == [187, 187])
    #expect(
      packets(start(loop)) == [
        Heard(second: 0, number: 0, interface: 1), Heard(second: 1, number: 0),
        Heard(second: 2, number: 1), Heard(second: 2, number: 2),
        Heard(second: 2, number: 1, interface: 1), Heard(second: 3, number: 2, interface: 1),
        Heard(second: 7, number: 3), Heard(second: 9, number: 3, interface: 1),
      ])
  }

  /// An only capture's observer has the name that it has in any analysis.
  @Test("leaves the interface of a single capture without a name")
  func single() throws {
    let folder = try Folder()
    let loop = try ReplayLoop(
      [folder.pcap("a.pcap", [1])], names: ["a"], pace: .most, isEndless: false)
    #expect(loop.interfaces.map(\.name) == [nil])
  }

  @Test("waits until a packet is due, and says meanwhile how late it is")
  func waiting() throws {
    let folder = try Folder()
    let hour = 3600.0
    let loop = try ReplayLoop(
      [folder.pcap("x.pcap", [0, hour])], names: ["x"], pace: .times(1), isEndless: false)
    let ring = start(loop)
    #expect(packets(ring, most: 1) == [Heard(second: 0, number: 0)])
    // Two different moments: it goes on, and does not come to the second packet by it.
    var moments: Set<Int64> = []
    while moments.count < 2 {
      ring.wait()
      if ring.drainedMoment != .min { moments.insert(ring.drainedMoment) }
    }
    #expect(moments.allSatisfy { $0 >= Self.start && $0 < Self.start + 3600 * Self.second })
    ring.stop()
    #expect(packets(ring).isEmpty)
  }

  @Test("says once how long a time without packets takes that is longer than a minute")
  func longWait() throws {
    let folder = try Folder()
    let loop = try ReplayLoop(
      [folder.pcap("x.pcap", [0, 0.1, 36_000])], names: ["x"], pace: .times(10), isEndless: false)
    let ring = RecordRing()
    let told = Mutex<[ReplayLoop.Wait]>([])
    loop.start(into: ring) {
      Issue.record("\($0)")
    } waiting: { wait in
      told.withLock { $0.append(wait) }
    }
    #expect(packets(ring, most: 2).map(\.number) == [0, 1])
    var moments: Set<Int64> = []
    while moments.count < 3 {
      ring.wait()
      if ring.drainedMoment != .min { moments.insert(ring.drainedMoment) }
    }
    ring.stop()
    #expect(packets(ring).isEmpty)
    let waits = told.withLock { $0 }
    #expect(waits.count == 1)
    #expect(waits.allSatisfy { (3500...3600).contains($0.seconds) })
    #expect(waits.allSatisfy { (35_000...36_000).contains($0.length / Self.second) })
  }

  @Test("begins anew at the end, a second later by its clock, until it is stopped")
  func endless() throws {
    let folder = try Folder()
    let loop = try ReplayLoop(
      [folder.pcap("a.pcap", [0, 4]), folder.pcap("b.pcap", [2, 9])], names: ["a", "b"],
      pace: .most, isEndless: true)
    let ring = start(loop)
    let heard = packets(ring, most: 12)
    let round = [
      Heard(second: 0, number: 0), Heard(second: 2, number: 0, interface: 1),
      Heard(second: 4, number: 1), Heard(second: 9, number: 1, interface: 1),
    ]
    let expected = (0..<3).flatMap { turn in
      round.map {
        Heard(second: $0.second + Double(turn) * 10, number: $0.number, interface: $0.interface)
      }
    }
    #expect(heard == expected)
    ring.stop()
    _ = packets(ring)
    #expect(ring.isClosed)
  }

  /// pcapng: simple packets have no time.
  private func simple(_ numbers: [(Int, second: Double?)]) -> [UInt8] {
    let writer = PcapngWriter(.little, [.init(linkType: 187, resolution: 9)])
    return numbers.reduce(into: writer.header) { bytes, packet in
      let data: [UInt8] = [4, 0xFF, 1, UInt8(packet.0)]
      guard let second = packet.second else {
        return bytes += writer.simplePacket(Record(0, data))
      }
      let time = Self.start + Int64(second) * Self.second
      bytes += writer.enhancedPacket(Record(time, data), interface: 0)
    }
  }

  @Test("gives a packet without a time that of the one before, in its own capture")
  func untimed() throws {
    let folder = try Folder()
    let file = try folder.file(
      "x.pcapng", simple([(0, nil), (1, 5), (2, nil), (3, 2), (4, nil), (5, 6)]))
    let alone = try ReplayLoop([file], names: ["x"], pace: .most, isEndless: false)
    let expected = [
      Heard(second: 5, number: 0), Heard(second: 5, number: 1), Heard(second: 5, number: 2),
      Heard(second: 2, number: 3), Heard(second: 2, number: 4), Heard(second: 6, number: 5),
    ]
    #expect(packets(start(alone)) == expected)
    let both = try ReplayLoop(
      [file, folder.pcap("y.pcap", [4])], names: ["x", "y"], pace: .times(1000), isEndless: false)
    #expect(
      packets(start(both)) == [Heard(second: 4, number: 0, interface: 1)] + expected)
  }

  @Test("takes captures without any time, once, at any pace", arguments: [nil, 1])
  func timeless(_ times: Double?) throws {
    let folder = try Folder()
    let loop = try ReplayLoop(
      [folder.file("x.pcapng", simple([(0, nil), (1, nil)]))], names: ["x"],
      pace: times.map { .times($0) } ?? .most, isEndless: true)
    #expect(!loop.first.isKnown)
    #expect(packets(start(loop)).map(\.number) == [0, 1])
  }

  /// The widest span that nanoseconds since 1970 can tell, a few times over.
  @Test("does not stumble over times that are far apart")
  func wideSpan() throws {
    let folder = try Folder()
    let writer = PcapngWriter(.little, [.init(linkType: 187, resolution: 9)])
    let bytes = [0, Int64.max - 1].enumerated().reduce(into: writer.header) { bytes, packet in
      bytes += writer.enhancedPacket(
        Record(packet.element, [4, 0xFF, 1, UInt8(packet.offset)]), interface: 0)
    }
    let loop = try ReplayLoop(
      [folder.file("x.pcapng", bytes)], names: ["x"], pace: .most, isEndless: true)
    let ring = start(loop)
    #expect(packets(ring, most: 6).map(\.number) == [0, 1, 0, 1, 0, 1])
    ring.stop()
    _ = packets(ring)
  }

  @Test("refuses captures with more interfaces than it has numbers for")
  func manyInterfaces() throws {
    let folder = try Folder()
    let each = 33_000
    let interface = PcapngWriter.Interface(linkType: 187)
    var stream = PcapngStream(Array(repeating: interface, count: each))
    var bytes = stream.begin(comment: "")
    for number in 0..<each {
      stream.append(
        .packet(
          Record(Self.start, [4, 0xFF, 1, 0]), interface: number, direction: .controllerToHost),
        to: &bytes)
    }
    let paths = try ["a.pcapng", "b.pcapng"].map { try folder.file($0, bytes) }
    let problem = #expect(throws: CaptureProblem.self) {
      _ = try ReplayLoop(paths, names: ["a", "b"], pace: .most, isEndless: false)
    }
    #expect(
      problem?.detail == "has, with those before it, more than 65536 interfaces",
      "\(String(describing: problem))")
    _ = try ReplayLoop([paths[0]], names: ["a"], pace: .most, isEndless: false)
  }

  @Test("refuses what cannot be read twice, and what is not there")
  func refusals() throws {
    for path in ["/nowhere.pcap", "/dev/stdin"] {
      #expect(throws: CaptureProblem.self) {
        _ = try ReplayLoop([path], names: ["x"], pace: .most, isEndless: false)
      }
    }
  }
}

extension ReplayLoop {
  fileprivate convenience init(_ paths: [String], names: [String], pace: Pace, isEndless: Bool)
    throws(CaptureProblem)
  {
    try self.init(
      paths.map { CaptureSource.file($0) }, names: names, pace: pace, isEndless: isEndless)
  }
}
