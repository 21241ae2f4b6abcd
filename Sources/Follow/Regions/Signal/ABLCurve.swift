import Glibc

/// `abl`: the fitted curve of android-beacon-library 2.21.1. q = r/m; below 1: d = q^10, else
/// d = A·q^B + C. The coefficients are those of its default device.
package struct ABLCurve: Equatable, Sendable {
  package var a = 0.42093
  package var b = 6.9476
  package var c = 0.54992

  package init() {}

  /// Metres; nil for an RSSI that is not negative, for which the curve was not made (the library
  /// takes 0 for «no RSSI»). dBm both.
  func metres(rssi: Double, power: Double) -> Double? {
    guard rssi < 0 else { return nil }
    let ratio = rssi / power
    return ratio < 1 ? pow(ratio, 10) : a * pow(ratio, b) + c
  }
}
