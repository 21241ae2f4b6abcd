import CaptureReader

/// What a sniffer says about a packet beside its bytes.
struct AirContext {
  enum Check {
    /// The sniffer checked the CRC and says it is good.
    case saidGood
    case saidBad
    /// Nobody checked: we do.
    case unchecked
  }
  var check = Check.unchecked
  /// Channel index; 255 where unknown.
  var channel: UInt8 = 255
  var rssi: Int8 = 127
  var noise: Int8 = 127
  var phy = PHY.unknown
  var kind = AuxKind.unknown
}

/// The air packet of link types 251, 256, 272 and PPI: access address, PDU, CRC (PROTOCOLS.md 2.1).
extension FrameDecoder {
  static let advertisingAccessAddress: UInt32 = 0x8E89_BED6

  /// `base`: where `bytes` lie in the batch, or in `joined` where `isJoined`.
  mutating func airPacket(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, isJoined: Bool = false,
    _ context: AirContext, observer: Int
  ) -> FrameOutcome {
    // Before anything is told of a time behind them.
    expireChains(before: record, observer: observer)
    hear(record)
    guard bytes.byteCount >= 4 else { return .malformed(.llTruncated) }
    guard bytes.le32(0) == Self.advertisingAccessAddress else {
      return .noAdvertisement(kind(ofAccess: bytes.le32(0), context, observer: observer))
    }
    // Coded PHY: one coding-indicator byte follows the access address, outside the CRC.
    let header = context.phy == .coded ? 5 : 4
    guard bytes.byteCount >= header + 5 else { return .malformed(.llTruncated) }
    let length = Int(bytes.u8(header + 1))
    let check = header + 2 + length
    guard bytes.byteCount >= check + 3 else { return .malformed(.llTruncated) }
    var odd = FrameWarnings.none
    if bytes.byteCount > check + 3 { odd.insert(.trailingBytes) }
    let computed = AirCode.checksum(bytes, from: header, count: 2 + length)
    let isRight = computed == bytes.le24(check)
    switch context.check {
    case .saidGood: if !isRight { odd.insert(.crcFlagDisagrees) }
    case .saidBad, .unchecked:
      if context.check == .saidBad || !isRight {
        guard options.keepBadCRC else { return FrameOutcome(kind: .crcFailed, reason: .crcBad) }
        odd.insert(.crcBad)
      }
    }
    warnings.formUnion(odd)
    var report = AdvertisingReport(
      time: record.time, frame: record.frame, address: .none, observer: UInt16(observer),
      source: .air)
    report.warnings = odd
    report.rssi = context.rssi
    report.noise = context.noise
    report.channel = context.channel
    report.isJoined = isJoined
    return advertisingPDU(
      &report, bytes, header: header, length: length, base: base, context, observer: observer)
  }

  private mutating func advertisingPDU(
    _ report: inout AdvertisingReport, _ bytes: RawSpan, header: Int, length: Int, base: Int,
    _ context: AirContext, observer: Int
  ) -> FrameOutcome {
    let first = bytes.u8(header)
    let payload = header + 2
    let sender: DeviceAddress.Kind = first & 0x40 != 0 ? .random : .publicDevice
    switch first & 0x0F {
    case 0: report.pdu = .advInd
    case 1: report.pdu = .advDirectInd
    case 2: report.pdu = .advNonconnInd
    case 4: report.pdu = .scanRsp
    case 6: report.pdu = .advScanInd
    case 7:
      report.pdu = .extended
      report.primaryPHY = context.phy
      return extendedPDU(
        &report, bytes, payload: payload, length: length, base: base, sender: sender,
        kind: context.kind, observer: observer)
    case 3: return .noAdvertisement(.scanRequest)
    case 5: return .noAdvertisement(.connectRequest)
    default: return .noAdvertisement(.otherPDUType)
    }
    let isDirected = report.pdu == .advDirectInd
    guard length >= (isDirected ? 12 : 6), length <= 37 else { return .malformed(.llBadLength) }
    report.address = DeviceAddress(bytes.le48(payload), sender)
    report.primaryPHY = .le1M
    if isDirected {
      report.target = DeviceAddress(
        bytes.le48(payload + 6), first & 0x80 != 0 ? .random : .publicDevice)
    } else {
      report.start = Int32(base + payload + 6)
      report.count = Int32(length - 6)
    }
    deliver(report)
    return .advertising
  }
}
