/// What pcapng says about packets lost and about pauses: in packets, and in interface statistics.
extension Pcapng {
  /// An interface statistics block (5): u32 interface, u64 time, options.
  ///
  /// Its counts of packets lost are of the whole recording so far: what packets have told already is
  /// not lost again. An end alone says that capturing stopped, a beginning alone that it went on.
  /// Both together are the recording's own, which recorders write when they are done.
  ///
  /// Packets were lost at some time since the statistics before, or the beginning. What `live` records
  /// says each loss when it is found out, with a comment: those were lost just then.
  mutating func statistics(_ block: Block, _ bytes: RawSpan, log: inout ContainerLog) {
    guard block.body + 12 <= block.bodyEnd else { return }
    let number = Int(bytes.u32(block.body, bigEndian: bigEndian))
    guard number < interfaces.count else { return }
    var lost: UInt64 = 0
    var (begin, end) = (Timestamp.none, Timestamp.none)
    var isTold = false
    let reader = self
    let whole = options(bytes, from: block.body + 12, to: block.bodyEnd) { code, at, length in
      if code == 1 {
        let tells = Self.tellsLoss(bytes, at, length)
        isTold = isTold || tells
        if !tells { log.unread.comments += 1 }
      }
      guard length >= 8 else { return }
      switch code {
      case 2: begin = reader.time(bytes, at, number)
      case 3: end = reader.time(bytes, at, number)
      case 5, 7: lost &+= bytes.u64(at, bigEndian: reader.bigEndian)
      default: break
      }
    }
    // What one of its options says cannot be told from what the next one does.
    guard whole else { return }
    let time = time(bytes, block.body + 4, number)
    if lost > interfaces[number].lost {
      let before = interfaces[number].countedUntil
      lose(
        lost - interfaces[number].lost, number, at: time, isBehind: true, &log,
        since: isTold ? .none : before.isKnown ? before : CaptureMark.wholeRecording)
    }
    if time.isKnown { interfaces[number].countedUntil = time }
    if end.isKnown, !begin.isKnown, !interfaces[number].isOff {
      interfaces[number].isOff = true
      mark(.off, number, at: end, isBehind: true, &log)
    } else if begin.isKnown, !end.isKnown, interfaces[number].isOff {
      goOn(number, at: begin, isBehind: true, &log)
    }
  }

  /// What is said of a section as a whole.
  func takeComments(_ block: Block, _ bytes: RawSpan, _ log: inout ContainerLog) {
    guard block.body + 16 <= block.bodyEnd else { return }
    var comments: [String] = []
    _ = options(bytes, from: block.body + 16, to: block.bodyEnd) { code, at, length in
      log.unread.noteSection(code)
      guard code == 1, comments.count < ContainerLog.maximumComments else { return }
      let text = (0..<min(length, 1000)).map { bytes.u8(at + $0) }
      comments.append(String(decoding: text, as: UTF8.self))
    }
    for comment in comments { log.comment(comment) }
  }

  /// Whether a comment is `N packets lost: …`, as recordings of our own have it.
  private static func tellsLoss(_ bytes: RawSpan, _ at: Int, _ length: Int) -> Bool {
    var place = 0
    while place < length, (0x30...0x39).contains(bytes.u8(at + place)) { place += 1 }
    let words = " packets lost: ".utf8
    guard place > 0, place + words.count <= length else { return false }
    return words.enumerated().allSatisfy { bytes.u8(at + place + $0) == $1 }
  }

  /// Two words, the high one first, in the interface's units.
  private func time(_ bytes: RawSpan, _ at: Int, _ number: Int) -> Timestamp {
    let high = UInt64(bytes.u32(at, bigEndian: bigEndian))
    let low = UInt64(bytes.u32(at + 4, bigEndian: bigEndian))
    return Timestamp(
      units: high << 32 | low, unitsPerSecond: interfaces[number].unitsPerSecond,
      offsetSeconds: interfaces[number].offsetSeconds)
  }

  /// Packets of an interface did not get here.
  mutating func lose(
    _ count: UInt64, _ number: Int, at time: Timestamp, isBehind: Bool, _ log: inout ContainerLog,
    since: Timestamp = .none
  ) {
    interfaces[number].lost &+= count
    log.lost.packets &+= count
    mark(.lost, number, at: time, isBehind: isBehind, &log, count: count, since: since)
  }

  /// Capturing goes on: it is said, or a packet shows it.
  mutating func goOn(
    _ number: Int, at time: Timestamp, isBehind: Bool, _ log: inout ContainerLog
  ) {
    interfaces[number].isOff = false
    mark(.on, number, at: time, isBehind: isBehind, &log)
  }

  private func mark(
    _ kind: CaptureMark.Kind, _ number: Int, at time: Timestamp, isBehind: Bool,
    _ log: inout ContainerLog, count: UInt64 = 0, since: Timestamp = .none
  ) {
    log.mark(
      CaptureMark(
        kind, interface: interfaces[number].place, time: time, frame: log.frames,
        isBehind: isBehind, count: count, since: since))
  }
}
