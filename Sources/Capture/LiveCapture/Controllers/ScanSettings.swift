/// How a controller is to scan.
package struct ScanSettings: Equatable, Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    /// Only listens.
    case passive
    /// Asks advertisers for scan responses, and by that sends; they see the controller's address.
    case active
  }
  package var mode: Mode
  /// From one window to the next, in units of 0.625 ms: 4 to 16 384.
  package var interval: UInt16
  /// For how long of it the radio listens: 4 up to the interval.
  package var window: UInt16

  /// Listens all the time; 10 ms, after which the next of the three channels is taken.
  package init(_ mode: Mode, interval: UInt16 = 16, window: UInt16 = 16) {
    self.mode = mode
    self.interval = interval
    self.window = window
  }

  /// What is wrong with the numbers; nil: nothing.
  package var problem: String? {
    let range: ClosedRange<UInt16> = 4...0x4000
    guard range.contains(interval) else {
      return "A scan interval is from 2.5 ms to 10.24 s, not \(Self.milliseconds(interval))."
    }
    guard window >= 4 && window <= interval else {
      return "A scan window is from 2.5 ms to the interval, not \(Self.milliseconds(window))."
    }
    return nil
  }

  /// Such as `11.25 ms`.
  package static func milliseconds(_ units: UInt16) -> String {
    let thousandths = Int(units) * 625
    let rest = String(thousandths % 1000 + 1000).dropFirst()
    let decimals = String(rest.reversed().drop { $0 == "0" }.reversed())
    return "\(thousandths / 1000)" + (decimals.isEmpty ? "" : "." + decimals) + " ms"
  }
}

/// Which of the two sets of commands a controller is to be told by: it takes no mixture of them
/// until it is reset, and the kernel uses the extended ones wherever they are supported.
package enum ScanCommands: String, Sendable {
  case legacy, extended

  /// - Parameter supported: answer to Read Local Supported Commands: 64 bytes of bits.
  package init?(supported: [UInt8]) {
    func has(_ octet: Int, _ bits: UInt8) -> Bool {
      supported.byte(at: octet).map { $0 & bits == bits } ?? false
    }
    if has(37, 0x60) {
      self = .extended
    } else if has(26, 0x0c) {
      self = .legacy
    } else {
      return nil
    }
  }

  package var other: ScanCommands { self == .legacy ? .extended : .legacy }

  var enableOpcode: UInt16 {
    self == .legacy ? HCICommand.setScanEnable : HCICommand.setExtendedScanEnable
  }

  var parametersOpcode: UInt16 {
    self == .legacy ? HCICommand.setScanParameters : HCICommand.setExtendedScanParameters
  }

  /// - Parameter ownAddress: 0 the public one, 1 the random one that the host has set.
  package func parameters(_ settings: ScanSettings, ownAddress: UInt8) -> [UInt8] {
    let mode: UInt8 = settings.mode == .active ? 1 : 0
    let times = [settings.interval, settings.window].flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let everybody: UInt8 = 0
    switch self {
    case .legacy:
      return HCICommand.packet(parametersOpcode, [mode] + times + [ownAddress, everybody])
    case .extended:
      let phy1M: UInt8 = 1
      return HCICommand.packet(parametersOpcode, [ownAddress, everybody, phy1M, mode] + times)
    }
  }

  /// Duplicates are never filtered: each advertisement is evidence.
  package func enable(_ isOn: Bool) -> [UInt8] {
    let on: [UInt8] = [isOn ? 1 : 0, 0]
    // Without an end, without pauses.
    return HCICommand.packet(enableOpcode, self == .legacy ? on : on + [0, 0, 0, 0])
  }
}
