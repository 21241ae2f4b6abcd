/// What could not be written, to be told when it can be again.
struct UnwrittenItems: Sendable {
  /// Packets, by interface.
  private var packets: [UInt64]
  private var marks: [CaptureItem] = []
  private static let mostMarks = 1000

  init(interfaces: Int) { packets = Array(repeating: 0, count: interfaces) }

  mutating func count(_ interface: Int) { packets[interface] &+= 1 }

  /// Keeps losses and pauses. Of losses that follow each other one is made; beyond a thousand marks
  /// the oldest goes, and if it was a loss is counted as packets that could not be written.
  mutating func hold(_ mark: CaptureItem) {
    if case .lost(let count, let interface, let time, let loss) = mark,
      case .lost(let before, interface, _, loss) = marks.last
    {
      marks[marks.count - 1] = .lost(
        before.adding(count), interface: interface, nanoseconds: time, by: loss)
      return
    }
    if marks.count == Self.mostMarks,
      case .lost(let count, let interface, _, _) = marks.removeFirst()
    {
      packets[interface] = packets[interface].adding(count)
    }
    marks.append(mark)
  }

  /// As a recording tells it.
  /// - Parameter time: when it could be written again, nanoseconds since 1970.
  func bytes(_ form: inout RecordedForm, at time: Int64, reason: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for mark in marks { _ = form.append(mark, to: &bytes) }
    for (interface, count) in packets.enumerated() where count > 0 {
      form.appendLoss(
        count, interface: interface, nanoseconds: time,
        comment: "\(count) packets could not be written: \(reason)", to: &bytes)
    }
    return bytes
  }

  mutating func removeAll() {
    marks.removeAll()
    for interface in packets.indices { packets[interface] = 0 }
  }
}

extension UInt64 {
  /// The sum, or the largest number there is: what a capture says of its losses may be anything.
  package func adding(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
