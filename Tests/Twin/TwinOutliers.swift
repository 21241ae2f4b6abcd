extension TwinCapture {
  /// Takes away times that the records around them contradict: more than ten minutes from the one before of
  /// their interface, which the next one is near to, or the first, more than ten minutes later than the next two.
  /// - Parameter ends: frames behind which the container says something. What comes behind that decides nothing.
  package mutating func dropOutliers(_ ends: Set<Int>) {
    for index in records.indices {
      guard let now = records[index].nanoseconds else { continue }
      let interface = records[index].interface
      var times =
        records[..<index].last { $0.interface == interface && $0.nanoseconds != nil }
        .map { [$0.nanoseconds!] } ?? []
      // Two have to agree against it: the one before and the one behind, or of the first those behind.
      for other in records[(index + 1)...].prefix(256) where times.count < 2 {
        if ends.contains(other.frame - 1) { break }
        if other.interface == interface, let time = other.nanoseconds { times.append(time) }
      }
      let isFirst = !records[..<index].contains {
        $0.interface == interface && $0.nanoseconds != nil
      }
      guard times.count == 2, !isFirst || now > times[0] else { continue }
      let isWrong = times.allSatisfy { Self.areFar(now, $0) } && !Self.areFar(times[0], times[1])
      if isWrong { records[index].nanoseconds = nil }
    }
  }

  private static func areFar(_ a: Int64, _ b: Int64) -> Bool {
    let step = a.subtractingReportingOverflow(b)
    return step.overflow || step.partialValue.magnitude > 600_000_000_000
  }
}
