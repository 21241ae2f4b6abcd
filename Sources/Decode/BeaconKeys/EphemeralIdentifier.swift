/// What a beacon with a secret key sends: identifiers that change with time (Eddystone-EID), and
/// telemetry that only the key's owner can read (PROTOCOLS 6.1, 6.3).
public struct EphemeralIdentifier: Hashable, Sendable {
  /// 16 bytes.
  public let key: [UInt8]
  /// The identifier changes every 2^K seconds, 0…15.
  public let exponent: UInt8

  /// Seconds of the beacon's clock after which its temporary key is another one.
  private static let epoch: UInt64 = 65_536

  /// - Parameters:
  ///   - key: the identity key, 16 bytes.
  ///   - exponent: 0…15.
  public init(key: [UInt8], exponent: UInt8) {
    precondition(key.count == 16 && exponent <= 15, "a key has 16 bytes, an exponent is 0 to 15")
    self.key = key
    self.exponent = exponent
  }

  /// How long an identifier lasts, in seconds of the beacon's clock.
  public var period: UInt64 { 1 << UInt64(exponent) }

  /// The beacon's clock with the low K bits cleared: the same while an identifier lasts.
  public func slot(at time: UInt32) -> UInt32 { (time >> UInt32(exponent)) << UInt32(exponent) }

  /// The eight bytes sent at a time of the beacon's own clock, in seconds.
  public func identifier(at time: UInt32) -> [UInt8] {
    let slot = slot(at: time)
    var found: UInt64 = 0
    identifiers(from: UInt64(slot), to: UInt64(slot) + 1) { found = $1 }
    return (0..<8).map { UInt8(truncatingIfNeeded: found >> UInt64(56 - 8 * $0)) }
  }

  /// Every identifier that is sent at some time in a span of the beacon's clock, with the time at which it
  /// begins; in the order of time. A temporary key serves many: they are encrypted together.
  /// - Parameters:
  ///   - from: seconds, the beginning of an identifier.
  ///   - to: seconds, not one of them; at most 2³².
  ///   - body: takes the beginning, and the eight bytes, first one highest.
  func identifiers(
    from: UInt64, to: UInt64, _ body: (_ slot: UInt32, _ identifier: UInt64) -> Void
  ) {
    var start = from
    while start < to {
      let end = min(to, (start / Self.epoch + 1) * Self.epoch)
      let high = UInt8(truncatingIfNeeded: start >> 24)
      let low = UInt8(truncatingIfNeeded: start >> 16)
      let temporary = AESBlock(
        key: AESBlock(key: key).encrypt(Self.zeros + [0xFF, 0, 0, high, low]))
      var blocks: [UInt8] = []
      var slots: [UInt32] = []
      for slot in stride(from: start, to: end, by: Int(period)) {
        slots.append(UInt32(slot))
        blocks += Self.zeros
        blocks.append(exponent)
        for shift in stride(from: 24, through: 0, by: -8) {
          blocks.append(UInt8(truncatingIfNeeded: slot >> UInt64(shift)))
        }
      }
      let sent = temporary.encrypt(blocks)
      for (place, slot) in slots.enumerated() {
        body(slot, sent[(16 * place)..<(16 * place + 8)].reduce(0) { $0 << 8 | UInt64($1) })
      }
      start = end
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: 11)

  /// AES-128-EAX over twelve bytes of telemetry, with an empty header and two bytes of tag.
  /// - Parameter time: seconds of the beacon's clock.
  public func telemetry(_ plain: [UInt8], at time: UInt32, salt: [UInt8]) -> (
    cipher: [UInt8], check: [UInt8]
  ) {
    let eax = EAX(key: key, nonce: nonce(time, salt))
    let cipher = eax.crypt(plain)
    return (cipher, Array(eax.tag(cipher).prefix(2)))
  }

  /// The twelve bytes of telemetry; nil where the tag is not that of these bytes, this key and this time.
  /// (A tag of 16 bits is right by chance once in 65 536 times: try few keys and times.)
  public func opened(cipher: [UInt8], salt: [UInt8], check: [UInt8], at time: UInt32) -> [UInt8]? {
    let eax = EAX(key: key, nonce: nonce(time, salt))
    guard Array(eax.tag(cipher).prefix(2)) == check else { return nil }
    return eax.crypt(cipher)
  }

  private func nonce(_ time: UInt32, _ salt: [UInt8]) -> [UInt8] {
    let slot = slot(at: time)
    return (0..<4).map { UInt8(truncatingIfNeeded: slot >> UInt32(24 - 8 * $0)) } + salt
  }
}
