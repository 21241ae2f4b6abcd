package import CaptureWriter

/// How a link type wraps HCI packets: the bytes before them, and the tag of their records.
package enum HCILink: Sendable {
  /// btsnoop 1001: the flags tell the type.
  case h1
  /// btsnoop 1002 and link type 187.
  case h4
  /// Link type 201.
  case h4WithDirection
  /// btsnoop 2001: adapter and opcode stand in the flags.
  case btsnoopMonitor
  /// Link type 254: adapter and opcode before the payload.
  case monitor
  case packetLogger
  case btsnooz

  /// Empties a record's data and puts what stands before a packet there; the packet itself is put
  /// behind it by the caller.
  package func begin(_ kind: HCIPacket.Kind, in record: inout Record) {
    record.data.removeAll(keepingCapacity: true)
    record.tag = tag(kind)
    switch self {
    case .h1, .btsnoopMonitor, .packetLogger, .btsnooz: break
    case .h4: record.data.append(kind.rawValue)
    case .h4WithDirection:
      record.data.put(UInt32(kind == .event ? 1 : 0), .big)
      record.data.append(kind.rawValue)
    case .monitor:
      record.data.put(UInt16(0), .big)
      record.data.put(kind.monitorOpcode, .big)
    }
  }

  private func tag(_ kind: HCIPacket.Kind) -> UInt32 {
    switch self {
    case .h1, .h4: kind.btsnoopFlags
    case .btsnoopMonitor: UInt32(kind.monitorOpcode)
    case .packetLogger: UInt32(kind.packetLoggerType)
    case .btsnooz: UInt32(kind.btsnoozType)
    case .h4WithDirection, .monitor: 0
    }
  }

  /// A word of the kernel about an adapter; nil on links that have no such records.
  package func note(adapter: UInt16, opcode: UInt16, _ payload: [UInt8], at nanoseconds: Int64)
    -> Record?
  {
    switch self {
    case .btsnoopMonitor:
      Record(
        nanoseconds, payload,
        tag: BtsnoopWriter.monitorFlags(adapter: adapter, opcode: opcode))
    case .monitor:
      Record(nanoseconds, Monitor.packet(adapter: adapter, opcode: opcode, payload))
    case .h1, .h4, .h4WithDirection, .packetLogger, .btsnooz: nil
    }
  }
}

/// How a sniffer's link type wraps packets of the air.
package enum AirFraming: Sendable {
  /// Link type 251: nothing around the packet.
  case bare
  /// Link type 256.
  case withHeader(isWhitened: Bool)
  /// Link type 272, protocol version 1, 2 or 3.
  case nordic(version: UInt8)
  /// Link type 192.
  case ppi

  /// Whether the link says on which PHY a packet came.
  package var tellsPHY: Bool {
    switch self {
    case .bare, .ppi: false
    case .withHeader, .nordic: true
    }
  }

  package var tellsRSSI: Bool {
    if case .bare = self { return false }
    return true
  }

  /// Puts a packet as a record of this link. `number` counts the sniffer's packets.
  package func put(
    _ packet: [UInt8], _ header: AirLink.Header, number: Int, position: Position?,
    in record: inout Record
  ) {
    record.data.removeAll(keepingCapacity: true)
    record.tag = 0
    switch self {
    case .bare: record.data.append(contentsOf: packet)
    case .withHeader(let isWhitened):
      var header = header
      header.isWhitened = isWhitened
      AirLink.putWithHeader(header, packet, to: &record.data)
    case .nordic(let version):
      AirLink.putNordic(
        version: version, counter: UInt16(truncatingIfNeeded: number), event: 0,
        microseconds: UInt32(truncatingIfNeeded: record.microseconds), header, packet,
        to: &record.data)
    case .ppi: AirLink.putPPI(header, position: position, packet, to: &record.data)
    }
  }
}
