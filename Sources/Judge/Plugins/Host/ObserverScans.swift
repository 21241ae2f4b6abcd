import FrameDecoder

/// Whom observers' scans leave out, and which part of their time they listen, as far as rules have been told.
final class ObserverScans {
  /// By observer's name, of those that leave anybody out.
  private var limits: [String: ScanLimits] = [:]
  /// By observer's name, of those that listen a part of the time, 0…1.
  private var shares: [String: Double] = [:]

  /// A scan goes on leaving out whom it left out, in the next recording, too, until another one begins or it
  /// ends: so exits are graded.
  func take(_ note: ObserverNote, of observer: String) {
    switch note.kind {
    case .scanOn:
      set(note.scanLimits, of: observer)
      shares[observer] = note.radioShare
    case .scanOff, .reset:
      set([], of: observer)
      shares[observer] = nil
    default: break
    }
  }

  func set(_ limits: ScanLimits, of observer: String) {
    self.limits[observer] = limits.isEmpty ? nil : limits
  }

  func limits(of observer: String) -> ScanLimits { limits[observer] ?? [] }

  /// Nil of all the time, and where nobody knows.
  func share(of observer: String) -> Double? { shares[observer] }
}

extension ObserverNote {
  /// Which part of its time a scan that begins listens, 0…1; nil: all of it, or not known.
  var radioShare: Double? { scanShare.flatMap { $0 < 0.999 ? $0 : nil } }
}

extension ScanLimits {
  /// As Lua has them.
  var fields: [(name: String, value: LuaValue)] {
    [
      ("filters_duplicates", .flag(contains(.duplicates))),
      ("hears_listed_only", .flag(contains(.unlisted))),
    ]
  }
}
