import CaptureReader
import Foundation
import Testing

/// What an input is, and why it cannot be read.
@Suite struct OpeningTests {
  @Test(arguments: Sample.all)
  func formatsAreToldByContentNeverByName(_ sample: Sample) {
    for name in ["a.pcap", "b.log", "c.pklg", "d.pcapng", "btsnoop_hci.log", ""] {
      let reading = Reading(.bytes(sample.file(0..<8), name: name))
      #expect(reading.format == sample.format)
      #expect(reading.data.count == 8)
    }
    #expect(CaptureFormats.recognise(sample.file(0..<8))?.name == sample.format)
  }

  @Test func everyFormatHasItsOwnBeginning() {
    for sample in Sample.all {
      let head = sample.file(0..<8)
      let takers = CaptureFormats.all.filter { format in
        head.withRawSpan { format.recognises($0) }
      }
      #expect(takers.map(\.name) == [sample.format])
    }
  }

  @Test func eachEndingIsOfOneFormat() {
    for format in CaptureFormats.all { #expect(!format.endings.isEmpty) }
    let endings = CaptureFormats.endings.map(\.text)
    #expect(Set(endings).count == endings.count)
    for ending in endings + CaptureFormats.packings {
      #expect(ending == ending.lowercased() && !ending.contains("."))
    }
  }

  @Test func whatCannotBeReadIsToldWhatCan() {
    let remedy = Reading(Array("no capture".utf8)).problem?.remedy
    for format in CaptureFormats.all { #expect(remedy?.contains(format.title) == true) }
  }

  @Test func textAndZerosAreNoPacketLogger() {
    let zeros = [UInt8](repeating: 0, count: 4096)
    #expect(Reading(zeros).problem?.code == .unknownFormat)
    // Begins like a big-endian length; what follows makes no sense.
    let other = [0, 0, 1, 0] + (0..<600).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(Reading(other).problem?.code == .unknownFormat)
    let text = Array("Captured on a Tuesday.\n".utf8)
    #expect(Reading(text).problem?.code == .unknownFormat)
  }

  @Test(arguments: 1..<6)
  func aPacketLoggerDamagedEarlyIsRecognised(_ good: Int) {
    let garbage = [UInt8](repeating: 0xFF, count: 37)
    let sample = Sample.packetLogger
    let rest = (good..<12).flatMap { sample.record($0, Sample.event($0)) }
    let reading = Reading(sample.file(0..<good) + garbage + rest)
    #expect(reading.format == "packetlogger")
    #expect(reading.data == (0..<12).map { Sample.event($0) })
    #expect(reading.log.gaps.map(\.bytes) == [37])
  }

  @Test func twoRecordsBeforeDamageMakeAPacketLoggerAndOneDoesNot() {
    let garbage = [UInt8](repeating: 0xFF, count: 37)
    let sample = Sample.packetLogger
    #expect(Reading(sample.file(0..<2) + garbage).data.count == 2)
    #expect(Reading(sample.file(0..<1) + garbage).problem?.code == .unknownFormat)
    #expect(Reading(garbage + sample.file(0..<9)).problem?.code == .unknownFormat)
  }

  @Test func pcapWithBtsnoopsNumberIsNotH4() {
    var header = Sample.pcap.header
    header.replaceSubrange(20..<24, with: Bytes.little(1002, 4))
    let reading = Reading(header + Sample.pcap.record(0, Sample.event(0)))
    #expect(reading.links == [.pcap(1002)])
    #expect(LinkType.pcap(1002) != .btsnoopH4)
  }

  @Test func packetLoggerComesInBothByteOrders() {
    func record(_ number: Int, big: Bool) -> [UInt8] {
      let words = [Sample.event(0).count + 8, Sample.start + number, 5]
      let header = words.flatMap { big ? Bytes.big($0, 4) : Bytes.little($0, 4) }
      return header + [1] + Sample.event(number).dropFirst()
    }
    for big in [true, false] {
      let reading = Reading((0..<6).flatMap { record($0, big: big) })
      #expect(reading.format == "packetlogger")
      #expect(reading.data == (0..<6).map { Sample.event($0) })
      #expect(reading.times.first?.nanoseconds == Int64(Sample.start) * 1_000_000_000 + 5000)
    }
  }

  @Test func anEmptyInputIsSaidToBeEmpty() {
    #expect(Reading([]).problem?.code == .emptyFile)
    #expect(Reading(.file("/dev/null")).problem?.code == .emptyFile)
  }

  @Test func whatCannotBeOpenedSaysWhy() {
    let missing = Reading(.file("/nowhere/at/all.pcap")).problem
    #expect(missing?.code == .cannotOpen)
    #expect(missing?.description.contains("/nowhere/at/all.pcap") == true)
    #expect(Reading(.file("/")).problem?.code == .cannotOpen)
  }

  @Test func aReadErrorIsReportedAsSuch() {
    // Address 0 of a process cannot be read.
    let problem = Reading(.file("/proc/self/mem")).problem
    #expect(problem?.code == .readError)
    #expect(problem?.offset == 0)
  }

  @Test func filesAndBytesReadAlike() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = Sample.btsnoop.file(0..<7000)
    try Data(bytes).write(to: URL(filePath: path))
    let file = Reading(.file(path))
    let memory = Reading(bytes)
    #expect(file.data == memory.data)
    #expect(file.sha256 == memory.sha256)
    #expect(file.data.count == 7000)
  }
}
