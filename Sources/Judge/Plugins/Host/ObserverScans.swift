import FrameDecoder

/// Whom observers' scans leave out, as far as rules have been told.
final class ObserverScans {
  /// By observer's name, of those that leave anybody out.
  private var limits: [String: ScanLimits] = [:]

  /// A scan goes on leaving out whom it left out, in the next recording, too, until another one begins or it
  /// ends: so exits are graded.
  func take(_ note: ObserverNote, of observer: String) {
    switch note.kind {
    case .scanOn: set(note.scanLimits, of: observer)
    case .scanOff, .reset: set([], of: observer)
    default: break
    }
  }

  func set(_ limits: ScanLimits, of observer: String) {
    self.limits[observer] = limits.isEmpty ? nil : limits
  }

  func limits(of observer: String) -> ScanLimits { limits[observer] ?? [] }
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
