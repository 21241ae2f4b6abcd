/// What a record's bytes are.
package enum TwinLink: Sendable, Equatable {
  case btsnoop(Int)
  case pcap(Int)
  case packetLogger
}

/// One record of a capture.
package struct TwinRecord: Sendable {
  package var frame: Int
  /// Since 1970; nil for none.
  package var nanoseconds: Int64?
  package var link: TwinLink
  package var bytes: [UInt8]
  /// The recorder kept less than there was.
  package var isCut = false
  /// btsnoop's flags, PacketLogger's type.
  package var tag = 0
  package var interface = 0
  /// What becomes of a record that the container itself gives up.
  package var fault: TwinOutcome?

  package init(
    frame: Int, nanoseconds: Int64?, link: TwinLink, bytes: [UInt8], isCut: Bool = false,
    tag: Int = 0, interface: Int = 0, fault: TwinOutcome? = nil
  ) {
    self.frame = frame
    self.nanoseconds = nanoseconds
    self.link = link
    self.bytes = bytes
    self.isCut = isCut
    self.tag = tag
    self.interface = interface
    self.fault = fault
  }
}

/// What became of a record: its class and, where it gave nothing, why; in the words of the output.
package struct TwinOutcome: Hashable, Sendable {
  package var kind: String
  package var reason: String

  package init(_ kind: String, _ reason: String = "") {
    self.kind = kind
    self.reason = reason
  }

  static let advertising = TwinOutcome("advertising")
  static let other = TwinOutcome("other")
  static func malformed(_ reason: String) -> TwinOutcome { TwinOutcome("malformed", reason) }
  static func unsupported(_ reason: String) -> TwinOutcome { TwinOutcome("unsupported", reason) }
}

/// An address, first printed byte first, and its kind.
package struct TwinAddress: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case publicDevice, random, publicIdentity, randomIdentity, anonymous, unresolved, unknown, none
  }
  package var kind: Kind
  /// Six bytes; zeros for none.
  package var bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  static let none = TwinAddress(.none, [UInt8](repeating: 0, count: 6))

  /// As HCI gives it: six bytes, last printed byte first, and the type (3.2, 3.4).
  init(hci type: Int, _ travelling: [UInt8]) {
    let kinds: [Int: Kind] = [
      0: .publicDevice, 1: .random, 2: .publicIdentity, 3: .randomIdentity, 0xFE: .unresolved,
      0xFF: .anonymous,
    ]
    kind = kinds[type] ?? .unknown
    bytes = kind == .anonymous ? TwinAddress.none.bytes : travelling.reversed()
  }
}

/// One advertisement.
package struct TwinReport: Hashable, Sendable {
  package var frame: Int
  /// Place inside the frame.
  package var index = 0
  package var nanoseconds: Int64?
  package var address = TwinAddress.none
  package var data: [UInt8] = []
  /// dBm; nil where it is not available.
  package var rssi: Int?
  /// dBm; nil where it is not given.
  package var txPower: Int?
  /// Channel index.
  package var channel: Int?
  /// 1 1M, 2 2M, 3 coded: the PHY that carried the data.
  package var phy: Int?
  /// Advertising set.
  package var sid: Int?

  package init(frame: Int, nanoseconds: Int64?) {
    self.frame = frame
    self.nanoseconds = nanoseconds
  }
}

/// One beacon in one advertisement.
package struct TwinSighting: Hashable, Sendable {
  package var report: TwinReport
  /// As output names it: `ibeacon`, `eddystone-uid`.
  package var kind: String
  /// The fields of its kind as output names them; numbers as text, fractions as `3/256`.
  package var fields: [String: String]

  package init(report: TwinReport, kind: String, fields: [String: String]) {
    self.report = report
    self.kind = kind
    self.fields = fields
  }
}
