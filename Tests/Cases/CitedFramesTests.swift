import Beacons
import CaptureReader
import CaseStore
import Exports
import Foundation
import FrameDecoder
import GRDB
import Testing

@Suite("pcapng of cited frames") struct CitedFramesTests {
  /// A sighting in text, without where it was recorded.
  private struct Reading {
    private(set) var sightings: [String] = []
    private(set) var frames: [FrameRow] = []

    init(_ source: CaptureSource, capture: Int64 = 1) throws {
      let reader = try CaptureReader.open(source)
      var batch = RecordBatch()
      var decoder = CaptureDecoder()
      while try reader.next(into: &batch) {
        reader.withBytes { bytes in
          batch.records.withSpan { decoder.decode($0, bytes) }
          for record in batch.records.array where record.fault == .none {
            frames.append(Self.row(record, bytes, capture))
          }
        }
        take(decoder)
      }
      reader.withBytes { decoder.finish(at: .none, $0) }
      take(decoder)
      sightings.sort()
    }

    private mutating func take(_ decoder: borrowing CaptureDecoder) {
      for sighting in decoder.beacons.sightings.array {
        let table = decoder.beacons.identities
        let bytes = HexText.string(table.bytes(of: table[sighting.identity]))
        sightings.append(
          // Without a time it is the first one there is.
          "\(sighting.time.isKnown ? sighting.time.nanoseconds : 0) \(sighting.kind) \(bytes) \(sighting.address) "
            + "\(sighting.rssi) \(sighting.power)")
      }
    }

    /// As a case has it.
    private static func row(
      _ record: CaptureRecord, _ bytes: RawSpan, _ capture: Int64
    ) -> FrameRow {
      let isPcap = record.link.rawValue < 0x1_0000
      let range = Int(record.start)..<(Int(record.start) + Int(record.count))
      let direction: String? =
        switch record.direction {
        case .unknown: nil
        case .hostToController: "sent"
        case .controllerToHost: "received"
        }
      return FrameRow(
        captureId: capture, frame: record.frame,
        timeNs: record.time.isKnown ? record.time.nanoseconds : nil, linkType: record.link.number,
        bytes: Data(bytes.extracting(range).array()), tag: isPcap ? nil : Int(record.tag),
        direction: direction, originalBytes: Int(record.originalCount))
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Captures").standardizedFileURL

  @Test(
    "give the sightings that they gave before",
    arguments: [
      "btsnoop-h1.btsnoop", "btsnoop-h4.btsnoop", "btsnoop-monitor.btsnoop", "bugreport-v2.txt",
      "packetlogger-le.pklg", "pcap-187-hci.pcap", "pcap-192-ppi-gps.pcap",
      "pcap-201-hci-direction.pcap", "pcap-251-air.pcap", "pcap-254-monitor.pcap",
      "pcap-256-whitened.pcap", "pcap-272-nordic-v3.pcap", "pcapng-be.pcapng",
      "pcapng-sections.pcapng",
    ])
  func sightings(_ name: String) throws {
    let before = try Reading(.file(Self.root.appending(path: "museum/\(name)").path))
    #expect(!before.sightings.isEmpty)
    let file = try CaseFile.temporary()
    try file.insert([HandMadeCase.capture(name)])
    try file.insert(before.frames)
    let exported = try Exported("pcapng", file)
    let after = try Reading(.bytes(exported.bytes, name: "cited.pcapng"))
    #expect(after.sightings == before.sightings)
  }

  @Test("a packet whose type nobody knows is told, not written")
  func unknown() throws {
    let file = try CaseFile.temporary()
    try file.insert([HandMadeCase.capture("x")])
    try file.insert([
      FrameRow(captureId: 1, frame: 1, timeNs: 1, linkType: 1001, bytes: Data([1])),
      FrameRow(captureId: 1, frame: 2, timeNs: 1, linkType: 2001, bytes: Data([1])),
      FrameRow(captureId: 1, frame: 3, timeNs: 1, bytes: Data([1]), tag: 0xF7),
      FrameRow(captureId: 1, frame: 4, timeNs: 1, linkType: 254, bytes: Data([1])),
    ])
    let exported = try Exported("pcapng", file)
    #expect(exported.remarks == ["3 cited frames of unknown packets left out"])
  }

  /// Frames, comments and times as tshark tells them; nil where it is not installed.
  private static func tshark(_ bytes: [UInt8], _ fields: [String]) throws -> [String]? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let programs = path.split(separator: ":").map { URL(filePath: "\($0)/tshark") }
    guard
      let program = programs.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else {
      print("ExportsTests: skipped, no tshark in PATH")
      return nil
    }
    let file = FileManager.default.temporaryDirectory.appending(
      path: "beacontrace-cited-\(UUID().uuidString).pcapng")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = program
    process.arguments =
      ["-n", "-r", file.path, "-T", "fields", "-E", "separator=|"] + fields.flatMap { ["-e", $0] }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let found = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: found, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("tshark shows them in the order of time, with who cites them")
  func comments() throws {
    let exported = try Exported("pcapng", HandMadeCase.make(named: "hall"))
    let fields = ["frame.time_epoch", "frame.comment", "frame.interface_name"]
    guard let lines = try Self.tshark(exported.bytes, fields) else { return }
    #expect(
      lines == [
        "1779184810.500000000|hall frame 3\\n"
          + "cited by enter of hall at 10:00:10.500 UTC (event 20c4e81f0b37a9d2)|hall",
        "1779184840.000000000|hall frame 5\\n"
          + "cited by exit of hall at 10:01:10.000 UTC, gone (event 00000000000000ff)"
          + "\\ncited by alert, warning: hall at 10:01:10.000 UTC (event 8000000000000001)|hall",
      ])
  }

  @Test("a comment says what the frame is in an event, when that was, and what it is worth")
  func roles() throws {
    let file = try HandMadeCase.make(named: "hall")
    try file.insert([
      StepRow(eventId: 1, label: "first match"), StepRow(eventId: 1, label: "then", text: "x"),
      StepRow(eventId: 2, label: "last matching sighting"),
      StepRow(eventId: 3, label: "decided by"),
    ])
    try file.database.write {
      try $0.execute(
        sql: "UPDATE events SET time_ns = time_ns + 86400000000000, grade = 'deaf' WHERE id = 2")
    }
    let text = String(decoding: try Exported("pcapng", file).bytes, as: UTF8.self)
    for line in [
      "first match: enter of hall at 10:00:10.500 UTC (event 20c4e81f0b37a9d2)",
      "last matching sighting before exit of hall at 2026-05-20 10:01:10.000 UTC, deaf "
        + "(event 00000000000000ff)",
      "decides alert, warning: hall at 10:01:10.000 UTC (event 8000000000000001)",
    ] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test("hostile names and frames without a time are read, too")
  func hostile() throws {
    let file = try HandMadeCase.make()
    try file.insert([
      FrameRow(captureId: 1, frame: 9, linkType: 254, bytes: Data([0, 0, 0, 3, 0x3E]))
    ])
    let exported = try Exported("pcapng", file)
    guard let lines = try Self.tshark(exported.bytes, ["frame.time_epoch", "frame.comment"]) else {
      return
    }
    #expect(lines.count == 3)
    #expect(lines[2].hasPrefix("0.000000000|=cmd|"))
    #expect(lines[2].contains("frame 9\\nwithout a time\\nnot cited"))
    #expect(lines[0].contains("\\u{1b}[31m") || lines[0].contains("\\\\u{1b}[31m"))
  }

  @Test("a frame that very many events cite has a comment of a length that can be read")
  func many() throws {
    let file = try HandMadeCase.make(named: "hall")
    try file.insert((0..<3000).map { _ in EvidenceRow(eventId: 1, captureId: 1, number: 3) })
    let bytes = try Exported("pcapng", file).bytes
    #expect(bytes.count < 12_000)
    #expect(String(decoding: bytes, as: UTF8.self).contains("more"))
    #expect(try Reading(.bytes(bytes, name: "x")).frames.count == 2)
  }
}
