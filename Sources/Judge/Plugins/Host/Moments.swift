import CaptureReader

extension Timestamp {
  /// Seconds since 1970, as rules have times; nil where it is not known.
  var luaSeconds: Double? { isKnown ? Double(nanoseconds) / 1e9 : nil }

  /// The nearest nanosecond of a rule's time, to a microsecond: a number has no more at present.
  init?(luaSeconds seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 9e9 else { return nil }
    let whole = seconds.rounded(.down)
    let micros = ((seconds - whole) * 1e6).rounded()
    self.init(nanoseconds: Int64(whole) * 1_000_000_000 + Int64(micros) * 1000)
  }
}

extension LuaValue {
  init(_ time: Timestamp) {
    self = time.luaSeconds.map { .number($0) } ?? .none
  }
}
