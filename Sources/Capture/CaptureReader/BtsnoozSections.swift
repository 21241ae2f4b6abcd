/// The btsnooz sections of a bug report, as one capture in the order of the text.
///
/// As a rule there is one. Where the log was written more than once while the report was made, a section goes on where
/// the one before ended, or begins with records that stand there already: these count once. What fits neither way
/// is not read, and told.
struct BtsnoozSections {
  static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)
  static let end = Array("--- END:BTSNOOP_LOG_SUMMARY".utf8)
  /// So many are unpacked.
  static let most = 16
  /// Bytes of all of them together, once unpacked, where there are several.
  static let largestTogether = 16 << 20
  /// Of so many records that are like a section's first one it is tried whether the section goes on behind them.
  private static let mostTried = 4
  private static let mostNamed = 4

  private let capture: String
  /// The text of the one under way, and the byte where it begins.
  private var text: [UInt8]?
  private var offset: Int64 = 0
  private var isCut = false
  /// What was read so far.
  private var whole: Btsnooz?
  /// Of the first one that cannot be read.
  private var problem: CaptureProblem?
  private var count = 0
  /// The first of those that are not read, and how many there are.
  private var skipped: [(offset: Int64, why: String)] = []
  private var skippedCount = 0

  init(capture: String) { self.capture = capture }

  /// The next line of the report, without its end.
  mutating func take(_ line: [UInt8], at place: Int64) {
    if line.starts(with: Self.begin) {
      conclude(isComplete: false)
      (text, offset, isCut) = ([], place, false)
    } else if text != nil {
      if line.starts(with: Self.end) {
        conclude(isComplete: !isCut)
      } else if (text?.count ?? 0) + line.count > Btsnooz.largest {
        isCut = true
      } else if !isCut, !Self.end.starts(with: line) {
        text?.append(contentsOf: line)
      }
    }
  }

  /// All that could be read; nil where there was no section.
  mutating func finish() throws(CaptureProblem) -> Btsnooz? {
    conclude(isComplete: false)
    guard var whole else {
      if let problem { throw problem }
      return nil
    }
    guard let first = skipped.first else { return whole }
    let named = skipped.map { "at byte \($0.offset) (\($0.why))" }
    let more = skippedCount > named.count ? " and \(skippedCount - named.count) more" : ""
    whole.losses.append(
      Btsnooz.Loss(
        code: .sectionSkipped, offset: first.offset, count: skippedCount,
        detail: "\(skippedCount) of its \(count) btsnooz sections not read, "
          + "\(named.joined(separator: ", "))\(more): save each to a file of its own, and read that, too"
      ))
    return whole
  }

  /// The one under way has ended.
  private mutating func conclude(isComplete: Bool) {
    guard let section = text else { return }
    text = nil
    count += 1
    guard count <= Self.most else {
      return skip("behind \(Self.most) others")
    }
    do throws(CaptureProblem) {
      let next = try Btsnooz(section: section, isComplete: isComplete, capture: capture)
      if whole == nil { whole = next } else { join(next) }
    } catch {
      if problem == nil { problem = error }
      skip(error.detail)
    }
  }

  private mutating func skip(_ why: String) {
    skippedCount += 1
    if skipped.count < Self.mostNamed { skipped.append((offset, why)) }
  }

  private mutating func join(_ next: Btsnooz) {
    guard var whole else { return }
    guard whole.hasTimes, next.hasTimes else {
      return skip("its times, or those before it, are not known")
    }
    guard whole.btsnoop.count + next.btsnoop.count <= Self.largestTogether else {
      return skip("it is too large to be read with the others")
    }
    let known = Self.known(next.btsnoop, in: whole.btsnoop)
    guard known.records > 0 || known.isLater else {
      return skip("it begins before the one before it ended")
    }
    if known.records > 0 {
      let which = known.records == next.records ? "all" : "the first"
      whole.losses.append(
        Btsnooz.Loss(
          code: .sectionRepeated, frame: whole.records, offset: offset,
          detail:
            "\(which) \(known.records) records of the btsnooz section at byte \(offset) stand in "
            + "one before it, and count once"))
    }
    if known.records < next.records {
      whole.losses.append(
        Btsnooz.Loss(
          code: .capturesJoined, frame: whole.records + 1, offset: offset,
          detail: "another btsnooz section goes on behind the one before"))
      whole.btsnoop += next.btsnoop[known.end...]
      whole.records += next.records - known.records
    }
    for var loss in next.losses {
      (loss.frame, loss.offset) = (whole.records, offset)
      whole.losses.append(loss)
    }
    self.whole = whole
  }

  /// How many records at the beginning of `next` stand in `whole` already, at its end or all of them, where they end,
  /// and whether `next` begins when `whole` had ended. Both are btsnoop as `Btsnooz` makes it.
  private static func known(_ next: [UInt8], in whole: [UInt8]) -> (
    records: Int, end: Int, isLater: Bool
  ) {
    let header = Btsnoop.headerLength
    let first = next[header..<end(of: header, next)]
    var (at, last, tried) = (header, header, 0)
    while at < whole.count {
      let end = end(of: at, whole)
      if tried < mostTried, whole[at..<end] == first {
        tried += 1
        let count = min(whole.count - at, next.count - header)
        if whole[at..<(at + count)] == next[header..<(header + count)] {
          return (records(next, upTo: header + count), header + count, false)
        }
      }
      last = at
      at = end
    }
    return (0, header, time(of: header, next) >= time(of: last, whole))
  }

  private static func records(_ btsnoop: [UInt8], upTo end: Int) -> Int {
    var (at, count) = (Btsnoop.headerLength, 0)
    while at < end {
      at = self.end(of: at, btsnoop)
      count += 1
    }
    return count
  }

  /// Behind the record at a place.
  private static func end(of at: Int, _ btsnoop: [UInt8]) -> Int {
    min(btsnoop.count, at + Btsnoop.recordHeaderLength + Int(big(btsnoop, at + 4, 4)))
  }

  private static func time(of at: Int, _ btsnoop: [UInt8]) -> Int64 {
    Int64(bitPattern: big(btsnoop, at + 16, 8))
  }

  private static func big(_ bytes: [UInt8], _ at: Int, _ count: Int) -> UInt64 {
    bytes[at..<(at + count)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
