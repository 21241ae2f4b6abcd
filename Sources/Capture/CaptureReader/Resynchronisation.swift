/// Whether a record could begin at a place.
enum RecordCheck {
  /// A plausible record that ends here (possibly beyond the bytes at hand). `apart`: its time,
  /// where that says nothing about the records before (`RecordSanity.apart`).
  case record(end: Int, apart: Timestamp? = nil)
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

/// A record as its header has it.
struct RecordClaim {
  let at: Int
  /// Bytes it says it has.
  let length: Int
  /// Where the record behind it would begin.
  let next: Int
  let headerLength: Int
}

/// Finds the way back after damage: the next place from which several records in a row make sense.
struct Resynchroniser {
  private struct Damage {
    let offset: Int64
    let reason: ProblemCode
    let detail: String
  }
  private var damage: Damage?
  /// The container that is read: others' headers are told where records ended.
  private let container: String

  init(of container: String) { self.container = container }

  /// Whether a search is under way that the last bytes did not end.
  var isSearching: Bool { damage != nil }

  /// A second look at a header: nil where it is believed after all, else where to go on.
  ///
  /// `checkNext` is for the record behind it, `check` for all others.
  mutating func handle(
    _ claim: RecordClaim, in bytes: RawSpan, offset: Int64, final: Bool, batch: inout RecordBatch,
    log: inout ContainerLog, checkNext: (RawSpan, Int) -> RecordCheck,
    check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery? {
    switch Self.judge(claim, in: bytes, final: final, checkNext: checkNext, check: check) {
    case .trusted: return nil
    case .wait:
      return .stop(
        consumed: Self.putBack(claim, in: bytes, batch: &batch, log: &log, check: check))
    case .damaged(let reason, let detail):
      return recover(
        reason, detail, claim, in: bytes, offset: offset, final: final, batch: &batch, log: &log,
        check: check)
    }
  }

  /// The way on from a header that is not believed.
  mutating func recover(
    _ reason: ProblemCode, _ detail: String, _ claim: RecordClaim, in bytes: RawSpan,
    offset: Int64, final: Bool, batch: inout RecordBatch, log: inout ContainerLog,
    check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery {
    if let recovery = Self.takeBack(
      in: bytes, at: claim.at, offset: offset, headerLength: claim.headerLength, final: final,
      batch: &batch, log: &log, check: check)
    {
      return recovery
    }
    return begin(
      reason, detail, in: bytes, at: claim.at, offset: offset, final: final, log: &log,
      check: check)
  }

  /// Damage at `at`: notes it and searches on behind it at once.
  mutating func begin(
    _ reason: ProblemCode, _ detail: String, in bytes: RawSpan, at: Int, offset: Int64,
    final: Bool, log: inout ContainerLog, check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery {
    let other = OtherContainer.detail(in: bytes, at: at, besides: container)
    note(reason, other ?? detail, place: offset + Int64(at), log: &log)
    return resume(
      in: bytes, from: at + 1, offset: offset, final: final, log: &log, check: check)
  }

  /// Notes damage that begins at `place`: the search for its end is under way.
  mutating func note(
    _ reason: ProblemCode, _ detail: String, place: Int64, log: inout ContainerLog
  ) {
    log.note(reason, frame: log.frames + 1, offset: place, detail)
    damage = Damage(offset: place, reason: reason, detail: detail)
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
        detail: damage.detail, frame: log.frames + 1, isResumed: found != nil))
    self.damage = nil
    return found.map { .goOn(at: $0) } ?? .stop(consumed: end)
  }

  /// A record with an odd header is trusted when the one behind it is plausible; one that runs past
  /// the end of the input, when no other records lie in what it claims.
  private static func judge(
    _ claim: RecordClaim, in bytes: RawSpan, final: Bool,
    checkNext: (RawSpan, Int) -> RecordCheck, check: (RawSpan, Int) -> RecordCheck
  ) -> LengthVerdict {
    let length = claim.length
    if length > maximumRecordLength {
      return .damaged(.recordLengthImplausible, "a record says it is \(length) bytes long")
    }
    guard claim.next + claim.headerLength <= bytes.byteCount else {
      if !final { return .wait }
      if claim.next > bytes.byteCount && hasRecords(in: bytes, from: claim.at + 1, check: check) {
        return .damaged(
          .recordImplausible,
          "a record of \(length) bytes runs past the end of the input, over other records")
      }
      return .trusted
    }
    if case .implausible = checkNext(bytes, claim.next) {
      return .damaged(
        .recordImplausible, "a record of \(length) bytes is followed by something else")
    }
    return .trusted
  }

  /// How many records are looked into for the one that took in others: what stands behind it may
  /// read as a record or two before it makes no sense at all.
  private static let lookBack = 3

  /// A record that took in others.
  private struct Culprit {
    /// In the batch.
    let index: Int
    let start: Int
    /// Where records make sense again.
    let place: Int
    /// False where more bytes are needed to tell.
    let isCertain: Bool
  }

  /// Damage at `at` may be the fault of a record just before, whose length was too large and took
  /// in others. Then records make sense from somewhere inside it.
  private static func findCulprit(
    in bytes: RawSpan, at: Int, headerLength: Int, final: Bool, batch: borrowing RecordBatch,
    check: (RawSpan, Int) -> RecordCheck
  ) -> Culprit? {
    var end = at
    for index in batch.records.indices.suffix(lookBack).reversed() {
      let record = batch.records[index]
      guard Int(record.start) + Int(record.count) == end else { return nil }
      let start = Int(record.start) - headerLength
      for place in (start + 1)..<end {
        let verdict = runLength(in: bytes, from: place, final: final, check: check)
        if verdict == false { continue }
        return Culprit(index: index, start: start, place: place, isCertain: verdict == true)
      }
      end = start
    }
    return nil
  }

  /// The record at fault is taken back with what was read behind it, the bytes up to where records
  /// make sense become a gap, and reading goes on there. Where it takes more bytes to tell, it is read
  /// again with them. Nil where none was at fault.
  private static func takeBack(
    in bytes: RawSpan, at: Int, offset: Int64, headerLength: Int, final: Bool,
    batch: inout RecordBatch, log: inout ContainerLog, check: (RawSpan, Int) -> RecordCheck
  ) -> Recovery? {
    guard
      let culprit = findCulprit(
        in: bytes, at: at, headerLength: headerLength, final: final, batch: batch, check: check),
      culprit.isCertain || at - culprit.start <= mostPutBack
    else { return nil }
    let count = batch.records[culprit.index].count
    log.frames -= batch.records.count - culprit.index
    batch.records.removeAll(from: culprit.index)
    guard culprit.isCertain else { return .stop(consumed: culprit.start) }
    let detail = "a record of \(count) bytes takes in other records"
    let place = offset + Int64(culprit.start)
    log.note(.recordImplausible, frame: log.frames + 1, offset: place, detail)
    log.gap(
      ContainerLog.Gap(
        offset: place, bytes: Int64(culprit.place - culprit.start), reason: .recordImplausible,
        detail: detail, frame: log.frames + 1))
    return .goOn(at: culprit.place)
  }

  /// How much may be put back; with a longest record behind it, it has room in the window.
  private static let mostPutBack = 512 << 10

  /// The header at the claim's place waits for more bytes. Where a record before may have taken in
  /// others, it waits as well: what has been handed on cannot be taken back. Returns where to go on.
  private static func putBack(
    _ claim: RecordClaim, in bytes: RawSpan, batch: inout RecordBatch, log: inout ContainerLog,
    check: (RawSpan, Int) -> RecordCheck
  ) -> Int {
    guard
      let culprit = findCulprit(
        in: bytes, at: claim.at, headerLength: claim.headerLength, final: false, batch: batch,
        check: check), claim.at - culprit.start <= mostPutBack
    else { return claim.at }
    log.frames -= batch.records.count - culprit.index
    batch.records.removeAll(from: culprit.index)
    return culprit.start
  }

  /// Whether records make sense again somewhere behind `start`, no more bytes being there to come.
  static func hasRecords(
    in bytes: RawSpan, from start: Int, check: (RawSpan, Int) -> RecordCheck
  ) -> Bool {
    if case .found = findRun(in: bytes, from: start, final: true, check: check) { return true }
    return false
  }

  enum Search {
    case found(at: Int)
    /// Nothing before this place; what begins here needs more bytes to tell.
    case undecided(from: Int)
  }

  /// Looks for three records in a row. At the end of the input fewer are enough when the last one
  /// ends exactly there, or two with a third one cut short.
  static func findRun(
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

  /// Whether a run begins here; nil where more bytes are needed to tell. Records whose times lie
  /// apart from those before the damage have at least to agree with one another: read a few bytes
  /// too late, lengths and fractions of a second look like records as well.
  private static func runLength(
    in bytes: RawSpan, from start: Int, final: Bool, check: (RawSpan, Int) -> RecordCheck
  ) -> Bool? {
    let wanted = 3
    var place = start
    var before: Timestamp?
    for number in 0..<wanted {
      if place == bytes.byteCount { return final ? number > 0 : nil }
      switch check(bytes, place) {
      case .implausible: return false
      case .record(_, let apart) where !RecordSanity.agree(before, apart): return false
      case .record(let end, let apart) where end <= bytes.byteCount:
        place = end
        before = apart
      case .record:
        if number == wanted - 1 { return true }
        return final ? false : nil
      case .undecided: return final ? number == wanted - 1 : nil
      }
    }
    return true
  }
}
