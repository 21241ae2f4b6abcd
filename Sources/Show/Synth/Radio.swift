/// How signals fade: log-distance, walls, and noise.
struct Radio: Sendable {
  /// Path-loss exponent: 2 in the open, more among obstacles.
  var exponent = 2.4
  /// Standard deviation, dB.
  var noise = 3.0
  /// What is weaker does not arrive, dBm.
  var sensitivity = -94
  /// Share of packets lost to others on the air, 0…1.
  var loss = 0.0

  /// Mean signal at a distance, dBm.
  /// - Parameters:
  ///   - atOneMetre: dBm.
  ///   - distance: metres on the plan; beacons hang a metre above or below the observer.
  ///   - walls: dB.
  func mean(atOneMetre: Double, distance: Double, walls: Double) -> Double {
    let reach = distance * distance + 1
    // Half the logarithm of the square.
    return atOneMetre - 5 * exponent * Logarithm.ten(reach) - walls
  }

  /// A packet's signal in whole dBm; nil where it does not arrive.
  func receive(_ mean: Double, _ random: inout SplitMix64) -> Int8? {
    let value = (mean + noise * random.noise()).rounded()
    let isLost = loss > 0 && random.fraction() < loss
    guard !isLost, value >= Double(sensitivity) else { return nil }
    return Int8(max(-127, min(20, value)))
  }
}

/// The logarithm from additions, multiplications and divisions alone: these give the same bits on
/// every machine, which the C library's function does not promise.
enum Logarithm {
  /// log₁₀ of a positive number.
  static func ten(_ value: Double) -> Double {
    var mantissa = value.significand
    var exponent = Double(value.exponent)
    if mantissa > 1.414_213_562_373_095 {
      mantissa /= 2
      exponent += 1
    }
    // ln m = 2 artanh((m − 1) / (m + 1)), a series in z² with |z| < 0.172.
    let z = (mantissa - 1) / (mantissa + 1)
    let square = z * z
    var sum = 0.0
    for n in stride(from: 19.0, through: 1.0, by: -2) { sum = sum * square + 1 / n }
    let natural = 2 * z * sum + exponent * 0.693_147_180_559_945_3
    return natural * 0.434_294_481_903_251_83
  }
}
