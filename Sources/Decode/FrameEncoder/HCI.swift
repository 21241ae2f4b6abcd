import CaptureWriter

/// HCI commands and events (PROTOCOLS part 3).
package enum HCI {
  package static func command(_ opcode: UInt16, _ parameters: [UInt8]) -> HCIPacket {
    HCIPacket(.command, join(opcode.le, [UInt8(parameters.count)], parameters))
  }

  package static func event(_ code: UInt8, _ parameters: [UInt8]) -> HCIPacket {
    HCIPacket(.event, [code, UInt8(parameters.count)] + parameters)
  }

  package static func commandComplete(
    _ opcode: UInt16, status: UInt8 = 0, _ rest: [UInt8] = []
  ) -> HCIPacket {
    event(0x0E, join([1], opcode.le, [status], rest))
  }

  package static func leMeta(_ subevent: UInt8, _ parameters: [UInt8]) -> HCIPacket {
    event(0x3E, [subevent] + parameters)
  }

  // MARK: Scanning

  package static let reset = command(0x0C03, [])

  /// `interval` and `window` in 0.625 ms.
  package static func setScanParameters(
    active: Bool, interval: UInt16, window: UInt16, listedOnly: Bool = false
  ) -> HCIPacket {
    command(
      0x200B, join([active ? 1 : 0], interval.le, window.le, [0, listedOnly ? 1 : 0]))
  }

  package static func setScanEnable(_ on: Bool, filterDuplicates: Bool = false) -> HCIPacket {
    command(0x200C, [on ? 1 : 0, filterDuplicates ? 1 : 0])
  }

  /// Scanning on the 1M PHY.
  package static func setExtendedScanParameters(
    active: Bool, interval: UInt16, window: UInt16
  ) -> HCIPacket {
    command(0x2041, join([0, 0, 1, active ? 1 : 0], interval.le, window.le))
  }

  package static func setExtendedScanEnable(
    _ on: Bool, filterDuplicates: Bool = false
  ) -> HCIPacket {
    command(0x2042, [on ? 1 : 0, filterDuplicates ? 1 : 0, 0, 0, 0, 0])
  }

  package static let scanTimeout = leMeta(0x11, [])

  // MARK: Reports

  package struct LegacyReport: Sendable {
    /// 0 ADV_IND, 1 ADV_DIRECT_IND, 2 ADV_SCAN_IND, 3 ADV_NONCONN_IND, 4 SCAN_RSP.
    package var type: UInt8
    package var address: Address
    package var data: [UInt8]
    package var rssi: Int8

    package init(type: UInt8 = 3, _ address: Address, _ data: [UInt8], rssi: Int8) {
      self.type = type
      self.address = address
      self.data = data
      self.rssi = rssi
    }

    package var bytes: [UInt8] {
      var result: [UInt8] = []
      put(to: &result)
      return result
    }

    package func put(to output: inout [UInt8]) {
      output.append(type)
      output.append(address.type)
      address.put(to: &output)
      output.append(UInt8(data.count))
      output.append(contentsOf: data)
      output.append(UInt8(bitPattern: rssi))
    }
  }

  /// One event with as many reports, one behind the other.
  package static func advertisingReport(_ reports: LegacyReport...) -> HCIPacket {
    leMeta(0x02, [UInt8(reports.count)] + reports.flatMap(\.bytes))
  }

  /// The same behind what is there; the type byte of H4 is not part of it.
  package static func put(_ reports: [LegacyReport], to output: inout [UInt8]) {
    output.append(0x3E)
    let length = output.count
    output.append(0)
    output.append(0x02)
    output.append(UInt8(reports.count))
    for report in reports { report.put(to: &output) }
    output[length] = UInt8(output.count - length - 1)
  }

  package static func directedReport(_ address: Address, to target: Address, rssi: Int8)
    -> HCIPacket
  {
    leMeta(
      0x0B,
      join(
        [1, 1, address.type], address.bytes, [target.type], target.bytes, rssi.le))
  }

  package struct ExtendedReport: Sendable {
    /// Bits 0–4 as in HCI; the data status comes from `status`.
    package var type: UInt16 = 0
    package var address: Address
    package var data: [UInt8]
    package var rssi: Int8
    /// 0 complete, 1 more to come, 2 truncated.
    package var status: UInt16 = 0
    package var primaryPHY: UInt8 = 1
    package var secondaryPHY: UInt8 = 1
    package var sid: UInt8 = 0
    package var txPower: Int8 = 127
    package var periodicInterval: UInt16 = 0

    /// Bytes before the data.
    static let overhead = 24

    package init(_ address: Address, _ data: [UInt8], rssi: Int8) {
      self.address = address
      self.data = data
      self.rssi = rssi
    }

    package var bytes: [UInt8] {
      join(
        (type | status << 5).le, [address.type], address.bytes,
        [primaryPHY, secondaryPHY, sid], txPower.le, rssi.le, periodicInterval.le,
        [UInt8](repeating: 0, count: 7), [UInt8(data.count)], data)
    }

    /// The report in pieces of at most `size` bytes of data.
    package func fragments(of size: Int) -> [ExtendedReport] {
      stride(from: 0, to: data.count, by: size).map { start in
        var piece = self
        piece.data = Array(data[start..<min(start + size, data.count)])
        piece.status = start + size < data.count ? 1 : 0
        return piece
      }
    }
  }

  package static func extendedReport(_ reports: ExtendedReport...) -> HCIPacket {
    extendedReport(reports)
  }

  /// Whether reports with so many bytes of data fit into one event: its parameters are 255 bytes at most,
  /// the subevent and the number of reports among them.
  package static func extendedReportsFit(_ data: [Int]) -> Bool {
    data.reduce(2) { $0 + ExtendedReport.overhead + $1 } <= 255
  }

  package static func extendedReport(_ reports: [ExtendedReport]) -> HCIPacket {
    leMeta(0x0D, [UInt8(reports.count)] + reports.flatMap(\.bytes))
  }

  // MARK: Periodic advertising

  /// `interval` in 1.25 ms.
  package static func syncEstablished(
    handle: UInt16, sid: UInt8, _ address: Address, interval: UInt16
  ) -> HCIPacket {
    leMeta(
      0x0E,
      join([0], handle.le, [sid, address.type], address.bytes, [1], interval.le, [0]))
  }

  package static func periodicReport(
    handle: UInt16, rssi: Int8, _ data: [UInt8], status: UInt8 = 0, txPower: Int8 = 127
  ) -> HCIPacket {
    leMeta(
      0x0F, join(handle.le, txPower.le, rssi.le, [0xFF, status, UInt8(data.count)], data))
  }

  package static func syncLost(handle: UInt16) -> HCIPacket { leMeta(0x10, handle.le) }

  // MARK: Android

  package struct BatchResult: Sendable {
    package var address: Address
    package var rssi: Int8
    /// In 50 ms, counted back from the event.
    package var age: UInt16
    package var data: [UInt8]
    package var response: [UInt8] = []

    package init(
      _ address: Address, rssi: Int8, age: UInt16, data: [UInt8], response: [UInt8] = []
    ) {
      self.address = address
      self.rssi = rssi
      self.age = age
      self.data = data
      self.response = response
    }

    package var bytes: [UInt8] {
      join(
        address.bytes, [address.type, 0], rssi.le, age.le, [UInt8(data.count)], data,
        [UInt8(response.count)], response)
    }
  }

  /// «Read results» of a batch scan and its answer in full format.
  package static let readBatchResults = command(0xFD56, [4, 2])

  package static func batchResults(_ results: BatchResult...) -> HCIPacket {
    commandComplete(0xFD56, [4, 2, UInt8(results.count)] + results.flatMap(\.bytes))
  }
}
