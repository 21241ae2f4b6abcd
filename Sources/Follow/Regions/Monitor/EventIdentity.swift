/// A hash that is the same on every machine and in every run (FNV-1a, 64 bits: Fowler, Noll, Vo).
package struct EventIdentity: Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// A text, and an end that none contains.
  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte: byte) }
    add(byte: 0xFF)
  }

  package mutating func add(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    for shift in stride(from: 56, through: 0, by: -8) {
      add(byte: UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// Well mixed: in the last bytes of its input FNV changes the upper bits too little.
  package var mixed: UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ mixed >> 33
  }
}
