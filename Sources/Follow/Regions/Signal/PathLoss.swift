import Glibc

/// `path-loss`: d = 10^((m − r) / (10·n)).
package struct PathLoss: Equatable, Sendable {
  /// n: 2 in free space, more where walls are. 0.5 to 10.
  package var exponent = 2.0

  package init() {}

  /// Metres. dBm both.
  func metres(rssi: Double, power: Double) -> Double {
    pow(10, (power - rssi) / (10 * exponent))
  }
}
