/// Whether a record could begin at a place.
enum RecordCheck {
  /// A plausible record that ends here (possibly beyond the bytes at hand).
  case record(end: Int)
  case implausible
  /// Too few bytes to tell.
  case undecided
}

/// Whether the length in an odd-looking header is believed.
enum LengthVerdict {
  case trusted
  /// More bytes are needed to tell.
  case wait
  case damaged(ProblemCode, String)
}

/// What the record loop does after damage.
enum Recovery {
  case goOn(at: Int)
  /// Records do not make sense yet: so many bytes are done with.
  case stop(consumed: Int)
}

/// Finds the way back after damage: the next place from which several records in a row make sense.
struct Resynchroniser {
  private struct Damage {
    let offset: Int64
    let reason: ProblemCode
    let detail: String
  }
  private var damage: Damage?

  /// Whether a search is under way that the last bytes did not end.
  var isSearching: Bool { damage != nil }

  /// Damage at `at`: notes it and searches on behind it at once.
  mutating func begin(
    _ reason: ProblemCode, _ detail: String, in bytes: RawSpan, at: Int, offset: Int64,
    final: Bool, log: inout ContainerLog, check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery {
    let place = offset + Int64(at)
    log.note(reason, frame: log.frames + 1, offset: place, detail)
    damage = Damage(offset: place, reason: reason, detail: detail)
    return resume(
      in: bytes, from: at + 1, offset: offset, final: final, log: &log, check: check)
  }

  /// Searches on from `from`. At the end of the input the gap is closed either way.
  mutating func resume(
    in bytes: RawSpan, from: Int, offset: Int64, final: Bool, log: inout ContainerLog,
    check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery {
    guard let damage else { return .goOn(at: from) }
    let found: Int?
    switch Self.findRun(in: bytes, from: from, final: final, check: check) {
    case .found(let place): found = place
    case .undecided(let place):
      if !final { return .stop(consumed: place) }
      found = nil
    }
    let end = found ?? bytes.byteCount
    log.gap(
      ContainerLog.Gap(
        offset: damage.offset, bytes: offset + Int64(end) - damage.offset, reason: damage.reason,
        detail: damage.detail, resumedAtFrame: found == nil ? nil : log.frames + 1))
    self.damage = nil
    return found.map { .goOn(at: $0) } ?? .stop(consumed: end)
  }

  /// A record with an odd header is trusted when the one behind it is plausible; one that runs past
  /// the end of the input, when no other records lie in what it claims.
  static func judge(
    _ bytes: RawSpan, at: Int, length: Int, next: Int, headerLength: Int, final: Bool,
    check: (RawSpan, Int) -> RecordCheck
  ) -> LengthVerdict {
    if length > maximumRecordLength {
      return .damaged(.recordLengthImplausible, "a record says it is \(length) bytes long")
    }
    guard next + headerLength <= bytes.byteCount else {
      if !final { return .wait }
      if next > bytes.byteCount && hasRecords(in: bytes, from: at + 1, check: check) {
        return .damaged(
          .recordImplausible,
          "a record of \(length) bytes runs past the end of the input, over other records")
      }
      return .trusted
    }
    if case .implausible = check(bytes, next) {
      return .damaged(
        .recordImplausible, "a record of \(length) bytes is followed by something else")
    }
    return .trusted
  }

  /// Damage at `at` may be the fault of the record before, whose length was too large and took in
  /// others. Then records make sense from somewhere inside it: it is taken back, its bytes up to
  /// there become a gap, and reading goes on there. Nil where it was not at fault.
  static func takeBack(
    in bytes: RawSpan, at: Int, offset: Int64, headerLength: Int, final: Bool,
    batch: inout RecordBatch, log: inout ContainerLog, check: (RawSpan, Int) -> RecordCheck
  ) -> Int? {
    guard let last = batch.records.last, Int(last.start) + Int(last.count) == at else { return nil }
    let start = Int(last.start) - headerLength
    let place = ((start + 1)..<at).first {
      runLength(in: bytes, from: $0, final: final, check: check) == true
    }
    guard let place else { return nil }
    batch.records.removeLast()
    log.frames -= 1
    let detail = "a record of \(last.count) bytes takes in other records"
    log.note(
      .recordImplausible, frame: log.frames + 1, offset: offset + Int64(start), detail)
    log.gap(
      ContainerLog.Gap(
        offset: offset + Int64(start), bytes: Int64(place - start), reason: .recordImplausible,
        detail: detail, resumedAtFrame: log.frames + 1))
    return place
  }

  /// Whether records make sense again somewhere behind `start`, no more bytes being there to come.
  static func hasRecords(
    in bytes: RawSpan, from start: Int, check: (RawSpan, Int) -> RecordCheck
  ) -> Bool {
    if case .found = findRun(in: bytes, from: start, final: true, check: check) { return true }
    return false
  }

  private enum Search {
    case found(at: Int)
    /// Nothing before this place; what begins here needs more bytes to tell.
    case undecided(from: Int)
  }

  /// Looks for three records in a row. At the end of the input fewer are enough when the last one
  /// ends exactly there, or two with a third one cut short.
  private static func findRun(
    in bytes: RawSpan, from start: Int, final: Bool, check: (RawSpan, Int) -> RecordCheck
  ) -> Search {
    var candidate = start
    while candidate < bytes.byteCount {
      switch runLength(in: bytes, from: candidate, final: final, check: check) {
      case .some(true): return .found(at: candidate)
      case .some(false): candidate += 1
      case .none: return .undecided(from: candidate)
      }
    }
    return .undecided(from: bytes.byteCount)
  }

  /// Whether a run begins here; nil where more bytes are needed to tell.
  private static func runLength(
    in bytes: RawSpan, from start: Int, final: Bool, check: (RawSpan, Int) -> RecordCheck
  ) -> Bool? {
    let wanted = 3
    var place = start
    for number in 0..<wanted {
      if place == bytes.byteCount { return final ? number > 0 : nil }
      switch check(bytes, place) {
      case .implausible: return false
      case .record(let end) where end <= bytes.byteCount: place = end
      case .record, .undecided:
        if number == wanted - 1 { return true }
        return final ? false : nil
      }
    }
    return true
  }
}
