/// Oddities of a frame that is kept all the same, as a set of bits.
public struct FrameWarnings: OptionSet, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt64
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  // Spelled out, because the protocol's versions go through witnesses on the way of every frame.
  public static var none: FrameWarnings {
    @inlinable @inline(__always) get { FrameWarnings(rawValue: 0) }
  }
  public var isEmpty: Bool { @inlinable @inline(__always) get { rawValue == 0 } }
  @inlinable @inline(__always)
  public func union(_ other: FrameWarnings) -> FrameWarnings {
    FrameWarnings(rawValue: rawValue | other.rawValue)
  }
  @inlinable @inline(__always)
  public mutating func formUnion(_ other: FrameWarnings) { self = union(other) }
  @inlinable @inline(__always)
  public func contains(_ other: FrameWarnings) -> Bool {
    rawValue & other.rawValue == other.rawValue
  }
  @inlinable @inline(__always)
  public static func == (a: FrameWarnings, b: FrameWarnings) -> Bool { a.rawValue == b.rawValue }

  public static let dataAfterTerminator = FrameWarnings(rawValue: 1 << 0)
  public static let adOverrun = FrameWarnings(rawValue: 1 << 1)
  public static let manufacturerDataTooShort = FrameWarnings(rawValue: 1 << 2)
  public static let serviceDataTooShort = FrameWarnings(rawValue: 1 << 3)
  public static let unknownEventType = FrameWarnings(rawValue: 1 << 4)
  public static let eventTypeVendorBits = FrameWarnings(rawValue: 1 << 5)
  public static let unknownAddressType = FrameWarnings(rawValue: 1 << 6)
  public static let rssiOutOfRange = FrameWarnings(rawValue: 1 << 7)
  public static let legacyDataLongerThan31 = FrameWarnings(rawValue: 1 << 8)
  public static let reportCountOutOfRange = FrameWarnings(rawValue: 1 << 9)
  public static let reportTruncated = FrameWarnings(rawValue: 1 << 10)
  public static let eventTruncated = FrameWarnings(rawValue: 1 << 11)
  public static let bytesAfterEvent = FrameWarnings(rawValue: 1 << 12)
  public static let trailingBytes = FrameWarnings(rawValue: 1 << 13)
  public static let sidOutOfRange = FrameWarnings(rawValue: 1 << 14)
  public static let dataTruncatedByController = FrameWarnings(rawValue: 1 << 15)
  public static let chainUnfinished = FrameWarnings(rawValue: 1 << 16)
  public static let chainTooLong = FrameWarnings(rawValue: 1 << 17)
  public static let commandTruncated = FrameWarnings(rawValue: 1 << 18)
  public static let crcFlagDisagrees = FrameWarnings(rawValue: 1 << 19)
  public static let rfChannelOutOfRange = FrameWarnings(rawValue: 1 << 20)
  public static let gpsValueOutOfRange = FrameWarnings(rawValue: 1 << 21)
  /// Kept on request although the checksum is wrong.
  public static let crcBad = FrameWarnings(rawValue: 1 << 22)
  /// Batch-scan results that do not fill or overfill their event.
  public static let batchTruncated = FrameWarnings(rawValue: 1 << 23)
  /// More radios than are kept apart: this record is attributed to the last one kept.
  public static let tooManyObservers = FrameWarnings(rawValue: 1 << 24)
  /// A position at exactly 0°, 0°.
  public static let positionZero = FrameWarnings(rawValue: 1 << 25)
  /// A position whose own flags say that there was no fix.
  public static let positionWithoutFix = FrameWarnings(rawValue: 1 << 26)
  /// The middle or the end of an advertisement on the air, whose beginning was not heard.
  public static let chainStartMissing = FrameWarnings(rawValue: 1 << 27)

  /// Whether an event ends early, and some of its reports with it.
  var isOfCutReports: Bool {
    contains(.eventTruncated) && (contains(.reportTruncated) || contains(.batchTruncated))
  }

  /// By bit.
  public static let names: [StaticString] = [
    "data_after_terminator", "ad_overrun", "manufacturer_data_too_short", "service_data_too_short",
    "unknown_event_type", "event_type_vendor_bits", "unknown_addr_type", "rssi_out_of_range",
    "legacy_data_longer_than_31", "num_reports_out_of_range", "report_truncated",
    "event_truncated", "bytes_after_event", "trailing_bytes", "sid_out_of_range",
    "data_truncated_by_controller", "chain_unfinished", "chain_too_long", "command_truncated",
    "crc_flag_disagrees", "rf_channel_out_of_range", "gps_value_out_of_range", "crc_bad",
    "batch_truncated", "too_many_observers", "position_zero", "position_without_fix",
    "chain_start_missing",
  ]
}

/// Why a frame gave nothing; of a packet that is no advertisement, what it is.
public struct FrameReason: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: FrameReason, b: FrameReason) -> Bool { a.rawValue == b.rawValue }

  public static let none = FrameReason(rawValue: 0)
  public static let reportCountZero = FrameReason(rawValue: 1)
  public static let reportTruncated = FrameReason(rawValue: 2)
  public static let eventEmpty = FrameReason(rawValue: 3)
  public static let eventTooShort = FrameReason(rawValue: 4)
  public static let packetEmpty = FrameReason(rawValue: 5)
  public static let unknownH4Type = FrameReason(rawValue: 6)
  public static let crcBad = FrameReason(rawValue: 7)
  public static let llTruncated = FrameReason(rawValue: 8)
  public static let llBadLength = FrameReason(rawValue: 9)
  public static let extHeaderOverrun = FrameReason(rawValue: 10)
  public static let pseudoHeaderTruncated = FrameReason(rawValue: 11)
  public static let nordicBadLength = FrameReason(rawValue: 12)
  public static let nordicUnknownVersion = FrameReason(rawValue: 13)
  public static let ppiBadLength = FrameReason(rawValue: 14)
  public static let ppiUnknownVersion = FrameReason(rawValue: 15)
  public static let unsupportedLinkType = FrameReason(rawValue: 16)
  public static let unknownMonitorOpcode = FrameReason(rawValue: 17)
  public static let emptyRecord = FrameReason(rawValue: 18)
  public static let unknownInterface = FrameReason(rawValue: 19)
  public static let packetOverrunsBlock = FrameReason(rawValue: 20)
  public static let unknownRecordType = FrameReason(rawValue: 21)
  public static let legacyDataLongerThan31 = FrameReason(rawValue: 22)
  public static let batchTruncated = FrameReason(rawValue: 23)
  public static let scanRequest = FrameReason(rawValue: 24)
  public static let connectRequest = FrameReason(rawValue: 25)
  /// Types 8 to 15: AUX_CONNECT_RSP, and what is not known.
  public static let otherPDUType = FrameReason(rawValue: 26)
  /// Of a connection, or noise: where its checksum starts is not known, so that nobody checked it.
  public static let notAdvertisingAccessAddress = FrameReason(rawValue: 27)
  /// It has an access address of its own, and is not read.
  public static let periodicAdvertising = FrameReason(rawValue: 28)
  /// A sniffer's own message, without a packet.
  public static let nordicNotAPacket = FrameReason(rawValue: 29)

  /// By raw value.
  public static let names: [StaticString] = [
    "", "num_reports_zero", "report_truncated", "event_empty", "event_too_short", "packet_empty",
    "unknown_h4_type", "crc_bad", "ll_truncated", "ll_bad_length", "ext_header_overrun",
    "phdr_truncated", "nordic_bad_length", "nordic_unknown_version", "ppi_bad_length",
    "ppi_unknown_version", "unsupported_linktype", "unknown_monitor_opcode", "empty_record",
    "unknown_interface", "packet_overruns_block", "unknown_record_type",
    "legacy_data_longer_than_31", "batch_truncated", "scan_request", "connect_request",
    "other_pdu_type", "not_advertising_access_address", "periodic_advertising",
    "nordic_not_a_packet",
  ]

  /// As output names it; empty for `none`.
  public var name: StaticString {
    Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : ""
  }

  /// Reasons that missing bytes explain: with a record that the recorder cut, the class is
  /// `truncated` and not `malformed`.
  @inlinable
  public var isShortage: Bool {
    switch self {
    case .reportTruncated, .eventEmpty, .eventTooShort, .llTruncated, .pseudoHeaderTruncated,
      .nordicBadLength, .ppiBadLength, .extHeaderOverrun, .batchTruncated:
      true
    default: false
    }
  }

  /// What a packet of the air is that is no advertisement: of records of the class `other`, and of no others.
  public var isOfOther: Bool {
    switch self {
    case .scanRequest, .connectRequest, .otherPDUType, .notAdvertisingAccessAddress,
      .periodicAdvertising, .nordicNotAPacket:
      true
    default: false
    }
  }
}

/// What became of a record: exactly one of these, so that the counts add up to the records.
public enum RecordClass: UInt8, CaseIterable, Sendable {
  case advertising, other, malformed, truncated, crcFailed, unsupported

  /// As output names it.
  public var name: StaticString {
    switch self {
    case .advertising: "advertising"
    case .other: "other"
    case .malformed: "malformed"
    case .truncated: "truncated"
    case .crcFailed: "crc_failed"
    case .unsupported: "unsupported"
    }
  }
}

/// A record's class and the reason behind it.
public struct FrameOutcome: Sendable {
  public let kind: RecordClass
  public let reason: FrameReason

  init(kind: RecordClass, reason: FrameReason) {
    self.kind = kind
    self.reason = reason
  }

  static let advertising = FrameOutcome(kind: .advertising, reason: .none)
  static let other = FrameOutcome(kind: .other, reason: .none)
  static func noAdvertisement(_ what: FrameReason) -> FrameOutcome {
    FrameOutcome(kind: .other, reason: what)
  }
  static func malformed(_ reason: FrameReason) -> FrameOutcome {
    FrameOutcome(kind: .malformed, reason: reason)
  }
  static func unsupported(_ reason: FrameReason) -> FrameOutcome {
    FrameOutcome(kind: .unsupported, reason: reason)
  }
}
