import Synth

/// What happens to bytes: changed, cut, lost, doubled, put in from elsewhere.
enum Damage {
  /// One of `inputs`, damaged a few times.
  static func mutant(of inputs: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
    var bytes = inputs[random.below(inputs.count)]
    // Most seeds are short; the long ones would take all the time.
    if bytes.count > 2000 { bytes = Array(bytes.prefix(2000)) }
    for _ in 0...random.below(4) { mutate(&bytes, inputs, using: &random) }
    return bytes
  }

  private static func mutate(
    _ bytes: inout [UInt8], _ inputs: [[UInt8]], using random: inout SplitMix64
  ) {
    guard !bytes.isEmpty else { return bytes = random.bytes(8) }
    let place = random.below(bytes.count)
    let end = min(bytes.count, place + 1 + random.below(60))
    switch random.below(7) {
    case 0: bytes[place] = UInt8(random.below(256))
    case 1: bytes[place] ^= 1 << UInt8(random.below(8))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.insert(contentsOf: random.bytes(1 + random.below(20)), at: place)
    case 5: bytes.removeSubrange(place...)
    default:
      let other = inputs[random.below(inputs.count)]
      bytes.insert(
        contentsOf: other.dropFirst(random.below(other.count + 1)).prefix(200), at: place)
    }
  }
}
