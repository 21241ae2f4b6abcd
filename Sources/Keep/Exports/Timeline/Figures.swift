package import CaptureReader
import Glibc
import Regions

/// Numbers with no more digits than the evidence carries.
package enum Figures {
  /// Two significant digits, as JSON writes numbers: `0.12`, `3.4e-07`.
  static func significant(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "null" }
    var exponent = Int(floor(log10(abs(value))))
    var digits = Int((abs(value) / pow(10, Double(exponent)) * 10).rounded())
    if digits == 100 { (digits, exponent) = (10, exponent + 1) }
    let sign = value < 0 ? "-" : ""
    if (0...15).contains(exponent) {
      return sign + (exponent == 0 ? "\(digits / 10).\(digits % 10)" : whole(digits, exponent))
    }
    if exponent < 0, exponent >= -4 {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + "\(digits)"
    }
    return sign + "\(digits / 10).\(digits % 10)e\(exponent)"
  }

  private static func whole(_ digits: Int, _ exponent: Int) -> String {
    "\(digits)" + String(repeating: "0", count: exponent - 1)
  }

  /// `0.05`, `0.8`, `12`, `1 300`.
  static func metres(_ value: Double) -> String {
    // As cases keep them, so that all outputs say the same: to the centimetre.
    let value = abs(value) < 1e9 ? (value * 100).rounded() / 100 : value
    if value < 0.095 { return value < 0.005 ? "0.00" : significant(value).prefix(4).description }
    if value < 9.95 { return TextColumns.decimal(value) }
    if value < 99.5 { return "\(Int(value.rounded()))" }
    guard value < 1e6 else { return "over 1 000 000" }
    return TextColumns.grouped(Int(significant(value)) ?? Int(value))
  }

  /// `0.8 m (0.5–1.3)`; nearer than any signal tells: `under 0.1 m`.
  static func distance(_ distance: Distance) -> String {
    guard distance.metres >= 0.095 else { return "under 0.1 m" }
    let interval =
      distance.interval.map { "\(metres($0.lowerBound))–\(metres($0.upperBound))" }
      ?? "bounds not known"
    return "\(metres(distance.metres)) m (\(interval))"
  }

  /// How many times as far a signal that is so much weaker comes from, in free sight: `3.2`, `6`.
  static func factor(decibels: Int) -> String {
    let atOneMetre = -20
    let factor =
      DistanceSettings().metres(rssi: Double(atOneMetre - decibels), power: atOneMetre) ?? .infinity
    return factor < 4.95 ? TextColumns.decimal(factor) : metres(factor)
  }

  /// `p = 0.12`, `p < 10⁻⁶`, `p > 0.99`: what only rounds to 1 is not sure.
  static func probability(_ value: Double) -> String {
    if value < 1e-6 { return "p < 10⁻⁶" }
    return value >= 0.995 && value < 1 ? "p > 0.99" : "p = \(significant(value))"
  }

  /// 0…1.
  static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  static func dBm(_ value: Double) -> String {
    (value < 0 ? "−" : "") + TextColumns.decimal(abs(value)) + " dBm"
  }

  static func dBm(_ value: Int) -> String { (value < 0 ? "−" : "") + "\(value.magnitude) dBm" }

  /// `10:06:21.118`.
  package static func clock(_ time: Timestamp) -> String {
    var text = ByteText()
    let moment = ClockZone.shown.moment(time).fields
    text.clock(moment)
    text.byte(UInt8(ascii: "."))
    text.padded(moment.nanosecond / 1_000_000, 3)
    return text.string
  }

  /// `2026-05-19 10:06:21`, with its zone where that is not UTC.
  package static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(TextColumns.clockAndZone(time))"
  }

  /// With its zone, where that is not the one of `other`, which stands before it.
  static func clock(_ time: Timestamp, besides other: Timestamp) -> String {
    clock(time) + ClockZone.shown.label(time, besides: other)
  }

  /// `30.000 s`: to the millisecond, for spans that are compared with limits; from an hour on
  /// `601199.400 s (6 d 22 h)`.
  static func seconds(_ nanoseconds: Int64) -> String {
    var text = ByteText()
    text.rounded(Double(nanoseconds) / 1e9, decimals: 3)
    let isLong = nanoseconds >= 3_600_000_000_000
    return text.string + " s" + (isLong ? " (\(TextColumns.duration(nanoseconds)))" : "")
  }
}
