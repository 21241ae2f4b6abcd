/// How long something was, in sentences.
enum SpanText {
  /// In whole minutes where it is long, and in days where it is very long.
  static func long(_ nanoseconds: Double) -> String {
    let minutes = Int(nanoseconds / 60e9)
    if minutes < 3 { return seconds(nanoseconds) }
    if minutes < 120 { return "\(minutes) min" }
    let hours = minutes / 60
    return hours < 72 ? "\(hours) h \(minutes % 60) min" : "\(hours / 24) d \(hours % 24) h"
  }

  static func seconds(_ nanoseconds: Double) -> String {
    let tenths = (nanoseconds / 1e8).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
  }
}
