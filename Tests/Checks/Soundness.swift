import Beacons
import CaptureReader
import FrameDecoder
import Glibc

/// What must hold of any input, however damaged.
package enum Soundness {
  /// Everything that is wrong with a reading of `input`; empty where all is well.
  package static func faults(_ reading: Reading, _ input: [UInt8]) -> [String] {
    var faults = accounting(reading) + inBytes(reading.decoding, records: reading.records)
    faults += gapTimes(reading)
    if reading.compression == nil && reading.format != "btsnooz" {
      faults += order(reading, input)
      if reading.problem == nil { faults += everyByte(reading, input) }
    }
    return faults
  }

  /// Every record is counted, in order, and falls into exactly one class.
  private static func accounting(_ reading: Reading) -> [String] {
    var faults: [String] = []
    if reading.records.map(\.frame) != Array(1..<(reading.records.count + 1)) {
      faults.append("frames are not numbered from 1 on")
    }
    if reading.records.count != reading.log.frames {
      faults.append("\(reading.records.count) records, \(reading.log.frames) counted")
    }
    let classes = reading.decoding.decoder.tally.records
    if classes != reading.log.frames {
      faults.append("classes add up to \(classes) of \(reading.log.frames)")
    }
    return faults
  }

  /// Sightings say what stands in the bytes of their record, and nothing else.
  package static func inBytes(_ decoding: Decoding, records: [SeenRecord]) -> [String] {
    var faults: [String] = []
    for sighting in decoding.sightings {
      let identity = decoding.beacons.identities[sighting.identity]
      var wanted = decoding.beacons.identities.bytes(of: identity)
      let isTelemetry = BeaconFormats.format(sighting.kind).isTelemetry
      // Telemetry goes by the address, which travels last byte first.
      if isTelemetry { wanted.reverse() }
      let report = decoding.reports.first {
        $0.report.frame == sighting.frame && $0.report.index == sighting.index
          && (isTelemetry || contains($0.data, wanted))
      }
      guard let report else {
        faults.append("frame \(sighting.frame): \(Hex.text(wanted)) is in none of its reports")
        continue
      }
      guard !report.report.isJoined, sighting.frame <= records.count else { continue }
      // No address in the packet: periodic advertising, an anonymous advertiser.
      if isTelemetry && !sighting.address.isPresent { continue }
      let isElsewhere = report.report.source == .periodic && isTelemetry
      if !isElsewhere && !contains(records[sighting.frame - 1].bytes, wanted) {
        faults.append("frame \(sighting.frame): \(Hex.text(wanted)) is not in its bytes")
      }
    }
    return faults
  }

  private static func hasModifiedHeader(_ input: [UInt8]) -> Bool {
    [[0xA1, 0xB2, 0xCD, 0x34], [0x34, 0xCD, 0xB2, 0xA1]].contains {
      find($0, in: input, from: 0) != nil
    }
  }

  /// The records' bytes stand in the input, one after the other.
  private static func order(_ reading: Reading, _ input: [UInt8]) -> [String] {
    var from = 0
    for record in reading.records {
      guard let place = find(record.bytes, in: input, from: from) else {
        return ["the bytes of frame \(record.frame) are not in the input behind byte \(from)"]
      }
      from = place + record.bytes.count
    }
    return []
  }

  /// Headers, records, gaps, and what is left of a cut record add up to the whole input. (Blocks of
  /// pcapng hold more than records.)
  private static func everyByte(_ reading: Reading, _ input: [UInt8]) -> [String] {
    let layout: (file: Int, record: Int)
    switch reading.format {
    case "btsnoop": layout = (16, 24)
    case "pcap": layout = (24, input[1...2].contains(0xCD) ? 24 : 16)
    case "packetlogger": layout = (0, 13)
    default: return []
    }
    var sum = layout.file + reading.records.reduce(0) { $0 + layout.record + $1.bytes.count }
    sum += Int(reading.log.gaps.reduce(0) { $0 + $1.bytes })
    // Captures that were joined have a header each.
    let joined = reading.log.notes[.capturesJoined]?.count ?? 0
    sum += layout.file * joined
    if let note = reading.log.notes[.fileTruncated] { sum += input.count - Int(note.firstOffset) }
    // Where one is of the other layout of pcap, its records have eight bytes more, or less, before their data.
    let rest = input.count - sum
    let isOfLayouts =
      joined > 0 && reading.format == "pcap" && hasModifiedHeader(input) && rest % 8 == 0
      && rest.magnitude <= 8 * reading.records.count
    return rest == 0 || isOfLayouts ? [] : ["\(sum) of \(input.count) bytes accounted for"]
  }

  /// A gap's times are those of the records on both sides.
  private static func gapTimes(_ reading: Reading) -> [String] {
    let times = reading.records.map(\.time)
    return reading.log.gaps.compactMap { gap in
      let next = (gap.resumedAtFrame ?? times.count + 1) - 1
      // A read error may end the input where records were to come.
      guard next <= times.count, gap.resumedAtFrame == nil || next < times.count else { return nil }
      let before = times[..<next].last { $0.isKnown } ?? .none
      let behind = gap.resumedAtFrame == nil ? .none : times[next]
      guard gap.from == before, gap.to == behind else {
        return "the gap before frame \(next + 1) has the times \(gap.from), \(gap.to)"
      }
      return nil
    }
  }

  package static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    find(wanted, in: bytes, from: 0) != nil
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
    guard from + wanted.count <= bytes.count else { return nil }
    if wanted.isEmpty { return from }
    return unsafe bytes.withUnsafeBufferPointer { hay in
      unsafe wanted.withUnsafeBufferPointer { needle in
        for place in from...(hay.count - needle.count)
        where unsafe hay[place] == needle[0]
          && memcmp(hay.baseAddress! + place, needle.baseAddress!, needle.count) == 0
        {
          return place
        }
        return nil
      }
    }
  }
}
