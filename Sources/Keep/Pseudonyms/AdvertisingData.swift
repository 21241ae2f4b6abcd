/// Advertising data with pseudonyms in it (AD structures: PROTOCOLS.md 4).
///
/// What says how something advertises stays: lengths, types, flags, powers, companies, numbered services,
/// telemetry. What says who it is becomes something else of the same length and form.
extension Pseudonyms {
  /// - Parameters:
  ///   - data: of a whole advertisement, or what there is of one.
  ///   - sender: its address as it goes over the air, lowest byte first; nil where it is not known.
  package func advertisingData(_ data: [UInt8], of sender: [UInt8]? = nil) -> [UInt8] {
    var result = data
    var at = 0
    while at < data.count {
      let length = Int(data[at])
      // What lies behind an end, and a structure that runs past it, nobody reads.
      guard length > 0, at + 1 + length <= data.count else {
        return replacing(result, (at + 1)..<data.count) { unread($0) }
      }
      let value = (at + 2)..<(at + 1 + length)
      result = replacing(result, value) { structure(type: data[at + 1], $0, sender) }
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
  func unread(_ value: [UInt8]) -> [UInt8] {
    value.allSatisfy { $0 == 0 } ? value : payload(value, [1]) { $0.contains { $0 != 0 } }
  }

  /// By the numbers that the Bluetooth SIG assigned to AD types. What is as long as its type has it says how
  /// something of its kind advertises; of any other length, it is nothing that anybody reads.
  private func structure(type: UInt8, _ value: [UInt8], _ sender: [UInt8]?) -> [UInt8] {
    if let lengths = Self.ofKinds[type], lengths.contains(value.count) { return value }
    switch type {
    case 0x02, 0x03, 0x14: return pieces(value, of: 2, service16)
    case 0x04, 0x05, 0x1F: return pieces(value, of: 4, service32)
    case 0x06, 0x07, 0x15: return pieces(value, of: 16) { reversed($0, uuid) }
    case 0x08, 0x09: return name(value)
    case 0x16: return serviceData16(value)
    case 0x17, 0x18: return pieces(value, of: 6) { reversed($0, address) }
    case 0x1B where value.count == 7:
      return pieces(Array(value[..<6]), of: 6) { reversed($0, address) } + value[6...]
    case 0x20 where value.count >= 4:
      return service32(Array(value[..<4])) + payload(Array(value[4...]), [type])
    case 0x21 where value.count >= 16:
      return reversed(Array(value[..<16]), uuid) + payload(Array(value[16...]), [type])
    case 0xFF: return manufacturerData(value, of: sender)
    default: return payload(value, [type])
    }
  }

  /// Flags, power, class, out-of-band flags, intervals, appearance, role: types, and how long they are.
  private static let ofKinds: [UInt8: ClosedRange<Int>] = [
    0x01: 1...2, 0x0A: 1...1, 0x0D: 3...3, 0x11: 1...1, 0x12: 4...4, 0x19: 2...2, 0x1A: 2...2,
    0x1C: 1...1, 0x2F: 3...4,
  ]

  /// Services that have their number from the Bluetooth SIG, or of the kind that vendors take: they say what
  /// something is. Others say nothing to anybody here, and may be a piece of something else.
  private func service16(_ value: [UInt8]) -> [UInt8] {
    Self.isOfKind(value) ? value : payload(value, [2]) { !Self.isOfKind($0) }
  }

  private func service32(_ value: [UInt8]) -> [UInt8] {
    let isShort = value[2] == 0 && value[3] == 0
    return isShort && Self.isOfKind(Array(value[..<2])) ? value : payload(value, [4])
  }

  /// 0x1800–0x18FF, and from 0xFA00 on; lowest byte first.
  private static func isOfKind(_ value: [UInt8]) -> Bool { value[1] == 0x18 || value[1] >= 0xFA }

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
  /// - Parameter accept: as `payload` has it, of the others.
  func kept(
    _ value: [UInt8], _ count: Int, _ what: [UInt8],
    where accept: ([UInt8]) -> Bool = { _ in true }
  ) -> [UInt8] {
    value.prefix(count)
      + payload(Array(value.dropFirst(count)), what + value.prefix(count), where: accept)
  }

  /// A power, which stays, and what else is up to a place; what lies behind it is nothing.
  func spare(_ data: [UInt8], _ from: Int, _ to: Int) -> [UInt8] {
    let to = min(to, data.count)
    return data[from..<to] + payload(Array(data[to...]), [0])
  }
}

// MARK: Service data

extension Pseudonyms {
  private static let eddystone: [UInt8] = [0xAA, 0xFE]
  /// The service whose data have a type that says of which kind they are (`AdvertiserLabels`), and that type.
  private static let typed: (service: [UInt8], type: UInt8) = ([0xE1, 0xFF], 0xA1)

  private func serviceData16(_ value: [UInt8]) -> [UInt8] {
    guard value.count >= 2 else { return payload(value, [0x16]) }
    let service = service16(Array(value.prefix(2)))
    guard value.count > 2 else { return service }
    if service == Self.eddystone {
      return value.prefix(2) + eddystone(Array(value.dropFirst(2)))
    }
    let isTyped = service == Self.typed.service
    let hasType = isTyped && value[2] == Self.typed.type
    let head = service + (hasType ? [Self.typed.type] : [])
    return head
      + payload(Array(value.dropFirst(head.count)), [0x16] + head) {
        hasType || !isTyped || $0[0] != Self.typed.type
      }
  }

  /// From the frame type on (PROTOCOLS.md 5.3). What the decoder refuses stays refused for the same reason.
  private func eddystone(_ frame: [UInt8]) -> [UInt8] {
    switch (frame[0], frame.count) {
    case (0x00, 18...):
      let space = Array(frame[2..<12])
      return frame[..<2] + namespace(space) + instance(Array(frame[12..<18]), of: space)
        + reserved(frame, 18, 20)
    case (0x10, 4...) where frame[2] <= 3: return frame[..<3] + url(Array(frame[3...]))
    // A scheme that there is not.
    case (0x10, 4...): return kept(frame, 1, [0xFE]) { $0[1] > 3 }
    case (0x20, 14...) where frame[1] == 0: return kept(frame, 14, [0x20])
    case (0x20, 2...) where frame[1] <= 1: return kept(frame, 2, [0x20])
    // A version that nobody knows.
    case (0x20, 2...): return kept(frame, 1, [0xFE]) { $0[0] > 1 }
    case (0x30, 10...):
      return frame[..<2] + identifier(Array(frame[2..<10])) + spare(frame, 10, 10)
    case (0x00, _), (0x10, _), (0x20, _), (0x30, _), (0x40, _), (0x41, _):
      return kept(frame, 1, [0xFE])
    default:
      let own = Self.refusal(frame[0])
      return payload(frame, [0xFE]) { Self.refusal($0[0]) == own }
    }
  }

  /// Why a frame type is none; nil of those that are.
  private static func refusal(_ type: UInt8) -> Int? {
    switch type {
    case 0x00, 0x10, 0x20, 0x30, 0x40, 0x41: nil
    default: type & 0x0F == 0 ? 0 : 1
    }
  }

  /// Reserved bytes up to a place, of which those that are none stay none; what lies behind it is nothing.
  private func reserved(_ data: [UInt8], _ from: Int, _ to: Int) -> [UInt8] {
    let to = min(to, data.count)
    let own = Array(data[from..<to])
    let kept =
      own.allSatisfy { $0 == 0 }
      ? own : payload(own, [3]) { $0.map { $0 == 0 } == own.map { $0 == 0 } }
    return kept + payload(Array(data[to...]), [0])
  }
}
