extension TwinCapture {
  /// Takes away times that the records around them contradict: more than ten minutes from the one before of
  /// their interface, which the next one is near to, or the first, more than ten minutes later than the next.
  /// - Parameter ends: frames behind which the container says something. What comes behind that decides nothing.
  package mutating func dropOutliers(_ ends: Set<Int>) {
    for index in records.indices {
      guard let now = records[index].nanoseconds else { continue }
      let interface = records[index].interface
      let before = records[..<index].last { $0.interface == interface && $0.nanoseconds != nil }
      let behind = records[(index + 1)...].prefix(16).first {
        $0.interface == interface && $0.nanoseconds != nil
      }
      guard let behind, let next = behind.nanoseconds,
        (records[index].frame..<behind.frame).allSatisfy({ !ends.contains($0) })
      else { continue }
      let isWrong: Bool
      if let last = before?.nanoseconds {
        isWrong = Self.areFar(now, last) && Self.areFar(now, next) && !Self.areFar(last, next)
      } else {
        isWrong = now > next && Self.areFar(now, next)
      }
      if isWrong { records[index].nanoseconds = nil }
    }
  }

  private static func areFar(_ a: Int64, _ b: Int64) -> Bool {
    let step = a.subtractingReportingOverflow(b)
    return step.overflow || step.partialValue.magnitude > 600_000_000_000
  }
}
