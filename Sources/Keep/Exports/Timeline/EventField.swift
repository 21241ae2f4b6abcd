import CaptureReader

/// A value of an event, ready to be written as JSON or into a cell.
enum EventValue {
  case text(String)
  /// Text of our own: never a formula.
  case word(String)
  case int(Int)
  case flag(Bool)
  case time(Timestamp)
  /// Nanoseconds, written as seconds with six decimals.
  case seconds(Int64)
  case number(Double, decimals: Int)
  /// A number with two significant digits.
  case rough(Double)
  /// JSON that holds more than one value.
  case json(ByteText)
  /// Applies, and is not known.
  case null
}

extension ByteText {
  mutating func json(_ value: EventValue) {
    switch value {
    case .text(let string), .word(let string): jsonString(string)
    case .time(let time) where time.isKnown:
      byte(UInt8(ascii: "\""))
      self.time(time)
      byte(UInt8(ascii: "\""))
    case .time, .null: text("null")
    default: plain(value)
    }
  }

  /// What is not known leaves the cell empty.
  mutating func cell(_ value: EventValue) {
    switch value {
    case .text(let string): csv(string)
    case .word(let string): text(of: string)
    case .time(let time): if time.isKnown { self.time(time) }
    case .json(let value): csv(value.string)
    case .null: break
    default: plain(value)
    }
  }

  private mutating func plain(_ value: EventValue) {
    switch value {
    case .int(let number): int(number)
    case .flag(let flag): text(flag ? "true" : "false")
    case .seconds(let nanoseconds): rounded(Double(nanoseconds) / 1e9, decimals: 6)
    case .number(let number, let decimals): json(number, decimals: decimals)
    case .rough(let number): text(of: Figures.significant(number))
    case .json(let value): append(value.bytes)
    case .text, .word, .time, .null: break
    }
  }

  /// A number that may be too large for its decimals: the curve of a distance model rises steeply.
  mutating func json(_ number: Double, decimals: Int) {
    guard number.isFinite else { return text("null") }
    if abs(number) < 1e9 { rounded(number, decimals: decimals) } else { text(of: "\(number)") }
  }
}
