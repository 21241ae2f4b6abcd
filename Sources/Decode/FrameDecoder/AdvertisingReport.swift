public import CaptureReader

/// One advertisement as it was received: who, how strong, and where its data lie.
///
/// Fixed size, no references. `start` counts in the bytes of the batch, or in
/// `FrameDecoder.joined` where the data were put together from several frames.
public struct AdvertisingReport: BitwiseCopyable, Sendable {
  /// Of the first fragment where there are several.
  public var time: Timestamp
  /// Frame number of the first fragment.
  public var frame: Int
  public var address: DeviceAddress
  /// Target of a directed advertisement.
  public var target = DeviceAddress.none
  public var warnings = FrameWarnings.none
  public var start: Int32 = 0
  public var count: Int32 = 0
  /// 0-based place inside the frame.
  public var index: UInt16 = 0
  /// Index into `FrameDecoder.observers`.
  public var observer: UInt16
  /// HCI event type (3.2, 3.4), or the link layer's advertising mode.
  public var eventType: UInt16 = 0
  /// Advertising data id of the link layer's ADI, 12 bits.
  public var dataID: UInt16 = 0
  /// In 1.25 ms; 0 for none.
  public var periodicInterval: UInt16 = 0
  /// dBm; 127 where it is not available.
  public var rssi: Int8 = 127
  /// dBm; 127 where it is not given.
  public var txPower: Int8 = 127
  /// dBm; 127 where it is not available (link type 256 only).
  public var noise: Int8 = 127
  /// Channel index 0–39; 255 where it is not known.
  public var channel: UInt8 = 255
  /// Advertising set; 255 for none.
  public var sid: UInt8 = 255
  public var primaryPHY = PHY.unknown
  public var secondaryPHY = PHY.unknown
  public var source: ReportSource
  public var pdu = PDU.unknown
  public var dataStatus = DataStatus.complete
  /// Whether `start` counts in `joined`.
  public var isJoined = false

  @inlinable @inline(__always)
  public init(
    time: Timestamp, frame: Int, address: DeviceAddress, observer: UInt16, source: ReportSource
  ) {
    self.time = time
    self.frame = frame
    self.address = address
    self.observer = observer
    self.source = source
  }

  /// The PHY that carried the data: the secondary one in extended advertising.
  @inlinable @inline(__always)
  public var dataPHY: PHY { secondaryPHY == .unknown ? primaryPHY : secondaryPHY }
}

/// A frame that a report was put together from, beside its own.
public struct ReportPart: BitwiseCopyable, Hashable, Sendable {
  /// The report's frame number.
  public let report: Int
  /// The part's.
  public let frame: Int
}

/// A report that waited for more, and the record behind which it was handed on: where among the others it comes
/// depends on these alone, and not on where batches end.
public struct LateReport: BitwiseCopyable, Hashable, Sendable {
  /// Index into the batch's reports.
  public let report: Int
  /// Frame number.
  public let frame: Int
}

/// A report whose parts are waited for: frame and place of its beginning.
struct PartKey: Hashable, Sendable {
  let frame: Int
  let index: UInt16
}

/// How a report reached the capture.
public enum ReportSource: BitwiseCopyable, Sendable {
  case legacy, directed, extended, periodic, batch, air
}

/// LE PHY, with HCI's numbers.
public struct PHY: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: PHY, b: PHY) -> Bool { a.rawValue == b.rawValue }

  public static var unknown: PHY { @inlinable get { PHY(rawValue: 0) } }
  public static var le1M: PHY { @inlinable get { PHY(rawValue: 1) } }
  public static var le2M: PHY { @inlinable get { PHY(rawValue: 2) } }
  public static var coded: PHY { @inlinable get { PHY(rawValue: 3) } }

  /// HCI's PHY byte; some controllers put other data in the top bits (3.4).
  @inlinable @inline(__always)
  public init(hci byte: UInt8) { self.init(rawValue: byte & 0x1F <= 3 ? byte & 0x1F : 0) }

  /// As output names it; nil where it is not known.
  public var name: StaticString? {
    switch self {
    case .le1M: "1M"
    case .le2M: "2M"
    case .coded: "coded"
    default: nil
    }
  }
}

/// The kind of advertising PDU.
public enum PDU: BitwiseCopyable, Sendable {
  case advInd, advDirectInd, advScanInd, advNonconnInd, scanRsp, extended, periodic, unknown

  /// Of a legacy report's event type (3.2).
  @inline(__always)
  init(legacy type: UInt8) {
    switch type {
    case 0: self = .advInd
    case 1: self = .advDirectInd
    case 2: self = .advScanInd
    case 3: self = .advNonconnInd
    case 4: self = .scanRsp
    default: self = .unknown
    }
  }

  public var name: StaticString {
    switch self {
    case .advInd: "ADV_IND"
    case .advDirectInd: "ADV_DIRECT_IND"
    case .advScanInd: "ADV_SCAN_IND"
    case .advNonconnInd: "ADV_NONCONN_IND"
    case .scanRsp: "SCAN_RSP"
    case .extended: "ADV_EXT"
    case .periodic: "AUX_SYNC_IND"
    case .unknown: "unknown"
    }
  }
}

/// Whether all of an advertisement's data are there (HCI data status, 3.4).
public enum DataStatus: BitwiseCopyable, Sendable {
  case complete, more, truncated, reserved

  /// The two bits as HCI has them.
  @inlinable @inline(__always)
  public init(bits: UInt8) {
    switch bits & 3 {
    case 0: self = .complete
    case 1: self = .more
    case 2: self = .truncated
    default: self = .reserved
    }
  }
}
