/// Advertisements that may come in fragments: extended and periodic ones (PROTOCOLS.md 3.4, 3.5),
/// and Android's results (3.7).
extension Twin.Radio {
  mutating func extended(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard let count = octets.u8() else { return (.malformed("report_truncated"), []) }
    if count == 0 { return (.malformed("num_reports_zero"), []) }
    var found: [TwinReport] = []
    for index in 0..<count {
      guard let fields = ExtendedFields(&octets) else {
        return (index == 0 ? .malformed("report_truncated") : .advertising, found)
      }
      let report = fields.report(record, index)
      let key = Fragments.Key(train: nil, address: report.address, sid: fields.sid)
      found += fragments.take(report, key, status: fields.status)
    }
    return (.advertising, found)
  }

  mutating func synchronised(_ parameters: Octets) -> Found {
    var octets = parameters
    guard let status = octets.u8(), let handle = octets.little(2), let sid = octets.u8(),
      let type = octets.u8(), let address = octets.take(6), let phy = octets.u8(),
      octets.take(3) != nil
    else { return (.malformed("report_truncated"), []) }
    guard status == 0 else { return (.other, []) }
    trains.removeAll { $0.handle == Int(handle) }
    if trains.count >= 256 { trains.removeFirst() }
    trains.append(
      Twin.Train(
        handle: Int(handle), address: TwinAddress(hci: type, address), sid: sid,
        phy: ExtendedFields.phy(phy)))
    return (.other, [])
  }

  mutating func periodic(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard let handle = octets.little(2), let power = octets.i8(), let rssi = octets.i8(),
      octets.take(1) != nil, let status = octets.u8(), let length = octets.u8(),
      let data = octets.take(length)
    else { return (.malformed("report_truncated"), []) }
    let train = trains.first { $0.handle == Int(handle) }
    var report = TwinReport(frame: record.frame, nanoseconds: record.nanoseconds)
    report.address = train?.address ?? .none
    report.sid = ExtendedFields.set(train?.sid ?? 255)
    report.phy = train?.phy
    report.txPower = Twin.dBm(power)
    report.rssi = Twin.dBm(rssi)
    report.data = data
    let key = Fragments.Key(
      train: Int(handle), address: report.address, sid: train?.sid ?? 255)
    return (.advertising, fragments.take(report, key, status: status & 3))
  }

  /// Subcode 4: u8 format, u8 count, records.
  mutating func batch(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard octets.u8() == 4 else { return (.other, []) }
    guard let format = octets.u8(), let count = octets.u8() else {
      return (.malformed("batch_truncated"), [])
    }
    if count == 0 { return (.other, []) }
    var found: [TwinReport] = []
    for _ in 0..<count {
      guard let results = Self.result(record, &octets, isFull: format == 2) else { break }
      for var report in results {
        report.index = found.count
        found.append(report)
      }
    }
    return (found.isEmpty ? .malformed("batch_truncated") : .advertising, found)
  }

  /// Address, type, TX power, RSSI, age in 50 ms; full: data, and the scan response as a report of
  /// its own where there is one.
  private static func result(_ record: TwinRecord, _ octets: inout Octets, isFull: Bool)
    -> [TwinReport]?
  {
    guard let address = octets.take(6), let type = octets.u8(), let power = octets.i8(),
      let rssi = octets.i8(), let age = octets.little(2)
    else { return nil }
    var report = TwinReport(frame: record.frame, nanoseconds: nil)
    if let time = record.nanoseconds {
      let seen = time.subtractingReportingOverflow(Int64(age) * 50_000_000)
      report.nanoseconds = seen.overflow ? nil : seen.partialValue
    }
    report.address = TwinAddress(hci: type, address)
    report.txPower = Twin.dBm(power)
    report.rssi = Twin.dBm(rssi)
    report.phy = 1
    guard isFull else { return [report] }
    guard let length = octets.u8(), let data = octets.take(length),
      let responseLength = octets.u8(), let response = octets.take(responseLength)
    else { return nil }
    report.data = data
    if response.isEmpty { return [report] }
    var second = report
    second.data = response
    return [report, second]
  }
}

/// The 24 bytes before an extended report's data, and the data.
private struct ExtendedFields {
  let type: Int
  let address: TwinAddress
  let primary: Int
  let secondary: Int
  let sid: Int
  let power: Int
  let rssi: Int
  let data: [UInt8]

  init?(_ octets: inout Octets) {
    guard let type = octets.little(2), let addressType = octets.u8(),
      let address = octets.take(6), let primary = octets.u8(), let secondary = octets.u8(),
      let sid = octets.u8(), let power = octets.i8(), let rssi = octets.i8(),
      octets.take(9) != nil, let length = octets.u8(), let data = octets.take(length)
    else { return nil }
    self.type = Int(type)
    self.address = TwinAddress(hci: addressType, address)
    self.primary = primary
    self.secondary = secondary
    self.sid = sid
    self.power = power
    self.rssi = rssi
    self.data = data
  }

  /// Legacy PDUs (bit 4) are always complete.
  var status: Int { type & 0x10 != 0 ? 0 : type >> 5 & 3 }

  func report(_ record: TwinRecord, _ index: Int) -> TwinReport {
    var report = TwinReport(frame: record.frame, nanoseconds: record.nanoseconds)
    report.index = index
    report.address = address
    report.data = data
    report.rssi = Twin.dBm(rssi)
    report.txPower = Twin.dBm(power)
    report.phy = Self.phy(secondary) ?? Self.phy(primary)
    report.sid = Self.set(sid)
    return report
  }

  static func phy(_ byte: Int) -> Int? { [1, 2, 3].contains(byte & 0x1F) ? byte & 0x1F : nil }
  static func set(_ byte: Int) -> Int? { byte == 255 ? nil : byte }
}

/// Advertisements of which fragments have come and more are to come.
struct Fragments: Sendable {
  struct Key: Hashable, Sendable {
    /// Handle of a periodic train; nil for extended advertising.
    let train: Int?
    let address: TwinAddress
    let sid: Int
  }
  private var open: [(key: Key, report: TwinReport)] = []

  /// Status: 0 complete, 1 more to come, 2 truncated; 3 is reserved and ends a chain, too.
  mutating func take(_ report: TwinReport, _ key: Key, status: Int) -> [TwinReport] {
    var done: [TwinReport] = []
    var whole = report
    if let place = open.firstIndex(where: { $0.key == key }) {
      let before = open.remove(at: place).report
      if before.data.count + report.data.count > 1650 {
        done.append(before)
      } else {
        whole = before
        whole.data += report.data
        whole.rssi = report.rssi
      }
      if status == 1 {
        open.insert((key, whole), at: whole == report ? open.count : place)
        return done
      }
    } else if status == 1 {
      // More than 64 at once: ends were missed, the oldest goes.
      if open.count == 64 { done.append(open.removeFirst().report) }
      open.append((key, whole))
      return done
    }
    return done + [whole]
  }

  /// Everything, unfinished as it is.
  mutating func flush() -> [TwinReport] {
    defer { open = [] }
    return open.map(\.report)
  }
}
