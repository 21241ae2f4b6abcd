/// Advertising data with pseudonyms in it (AD structures: PROTOCOLS.md 4).
///
/// What says how something advertises stays: lengths, types, flags, powers, companies, 16-bit services,
/// telemetry. What says who it is becomes something else of the same length and form.
extension Pseudonyms {
  /// - Parameter data: of a whole advertisement, or what there is of one.
  package func advertisingData(_ data: [UInt8]) -> [UInt8] {
    var result = data
    var at = 0
    while at < data.count {
      let length = Int(data[at])
      // What lies behind an end, and a structure that runs past it, nobody reads.
      guard length > 0, at + 1 + length <= data.count else {
        let rest = (at + (length > 0 ? 2 : 1))..<max(data.count, at + (length > 0 ? 2 : 1))
        return replacing(result, rest.clamped(to: 0..<data.count)) { unread($0) }
      }
      let value = (at + 2)..<(at + 1 + length)
      result = replacing(result, value) { structure(type: data[at + 1], $0) }
      at += 1 + length
    }
    return result
  }

  private func replacing(_ data: [UInt8], _ range: Range<Int>, _ change: ([UInt8]) -> [UInt8])
    -> [UInt8]
  {
    var data = data
    data.replaceSubrange(range, with: change(Array(data[range])))
    return data
  }

  /// Zeros, which fill up, stay zeros.
  private func unread(_ value: [UInt8]) -> [UInt8] {
    value.allSatisfy { $0 == 0 } ? value : payload(value, [0]) { $0.contains { $0 != 0 } }
  }

  /// By the numbers that the Bluetooth SIG assigned to AD types.
  private func structure(type: UInt8, _ value: [UInt8]) -> [UInt8] {
    switch type {
    // Flags, 16- and 32-bit services, power, class, connection intervals, out-of-band flags, wanted
    // services, appearance, interval, role, features, long interval: of kinds of devices, not of one.
    case 0x01...0x05, 0x0A, 0x0D, 0x11, 0x12, 0x14, 0x19, 0x1A, 0x1C, 0x1F, 0x27, 0x2F: value
    case 0x06, 0x07, 0x15: pieces(value, of: 16) { reversed($0, uuid) }
    case 0x08, 0x09: name(value)
    case 0x16: serviceData16(value)
    case 0x17, 0x18: pieces(value, of: 6) { reversed($0, address) }
    case 0x1B: pieces(Array(value.prefix(6)), of: 6) { reversed($0, address) } + value.dropFirst(6)
    case 0x20: kept(value, 4, [type])
    case 0x21:
      pieces(Array(value.prefix(16)), of: 16) { reversed($0, uuid) }
        + payload(Array(value.dropFirst(16)), [type])
    case 0xFF: manufacturerData(value)
    default: payload(value, [type])
    }
  }

  /// Pieces of a list; what is left over is no whole one.
  private func pieces(_ value: [UInt8], of size: Int, _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    let whole = value.count / size * size
    let changed = stride(from: 0, to: whole, by: size).flatMap {
      change(Array(value[$0..<($0 + size)]))
    }
    return changed + payload(Array(value[whole...]), [UInt8(size)])
  }

  /// Of bytes that go lowest first on the air.
  package func reversed(_ value: [UInt8], _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
    change(value.reversed()).reversed()
  }

  /// The first bytes as they are, the others without a meaning.
  private func kept(_ value: [UInt8], _ count: Int, _ what: [UInt8]) -> [UInt8] {
    value.prefix(count) + payload(Array(value.dropFirst(count)), what + value.prefix(count))
  }
}

// MARK: Service data

extension Pseudonyms {
  private static let eddystone: [UInt8] = [0xAA, 0xFE]

  private func serviceData16(_ value: [UInt8]) -> [UInt8] {
    guard value.count > 2 else { return value }
    // The byte behind the service says of which kind the rest is, with those that have kinds.
    guard Array(value.prefix(2)) == Self.eddystone else { return kept(value, 3, [0x16]) }
    return value.prefix(2) + eddystone(Array(value.dropFirst(2)))
  }

  /// From the frame type on (PROTOCOLS.md 5.3).
  private func eddystone(_ frame: [UInt8]) -> [UInt8] {
    switch (frame[0], frame.count) {
    case (0x00, 18...):
      let space = Array(frame[2..<12])
      return frame[..<2] + namespace(space) + instance(Array(frame[12..<18]), of: space)
        + spare(frame, 18, 20)
    case (0x10, 4...): return frame[..<3] + url(Array(frame[3...]))
    case (0x20, 14...) where frame[1] == 0: return kept(frame, 14, [0x20])
    case (0x20, 2...): return kept(frame, 2, [0x20])
    case (0x30, 10...):
      return frame[..<2] + identifier(Array(frame[2..<10])) + spare(frame, 10, 10)
    default: return kept(frame, 1, [0xFE])
    }
  }

  /// Reserved bytes, which stay, up to a place; what lies behind it is nothing.
  private func spare(_ data: [UInt8], _ from: Int, _ to: Int) -> [UInt8] {
    let to = min(to, data.count)
    return data[from..<to] + payload(Array(data[to...]), [0])
  }
}

// MARK: Manufacturer data

extension Pseudonyms {
  private static let apple: [UInt8] = [0x4C, 0x00]
  private static let altBeacon: [UInt8] = [0xBE, 0xAC]
  private static let iBeacon: [UInt8] = [0x02, 0x15]

  private func manufacturerData(_ value: [UInt8]) -> [UInt8] {
    guard value.count > 2 else { return value }
    let company = Array(value.prefix(2))
    if company == Self.apple { return company + elements(value.dropFirst(2)) }
    let code = Array(value.dropFirst(2).prefix(2))
    // AltBeacon (5.2), and iBeacon's layout under another company's number: 16 + 2 + 2 bytes, a power.
    if code == Self.altBeacon, value.count >= 26 {
      return company + code + identity(value[4..<24]) + spare(value, 24, 26)
    }
    if code == Self.iBeacon, value.count >= 25 {
      return company + code + identity(value[4..<24]) + spare(value, 24, 25)
    }
    if code == Self.altBeacon { return kept(value, 4, [0xFF]) }
    // The first byte says of which kind the rest is, with those that have kinds.
    let head = Array(value.prefix(3))
    return head
      + payload(Array(value.dropFirst(3)), [0xFF] + head) { rest in
        let code = [head[2]] + rest.prefix(1)
        return value.count < 25 || code != Self.altBeacon && code != Self.iBeacon
      }
  }

  private func identity(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let value = Array(value)
    let own = Array(value[..<16])
    return uuid(own) + number(.major, Array(value[16..<18]), of: own)
      + number(.minor, Array(value[18..<20]), of: own)
  }

  /// Apple's chain of type, length, value; type 01 has no length and 16 bytes (PROTOCOLS.md 5.1, 10).
  private func elements(_ data: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = data
    while let type = rest.first {
      let header = type == 0x01 ? 1 : 2
      let head = Array(rest.prefix(header))
      let length = type == 0x01 ? 16 : head.count > 1 ? Int(head[1]) : 0
      let value = Array(rest.dropFirst(header).prefix(length))
      result += head
      if head == Self.iBeacon, value.count == 21 {
        result += identity(value[..<20]) + value[20...]
      } else {
        result += payload(value, [0xFF] + head)
      }
      rest = rest.dropFirst(head.count + value.count)
    }
    return result
  }
}
