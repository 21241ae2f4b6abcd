/// The latest items of a capture, bounded by time and by bytes.
struct ItemRing: Sendable {
  struct Entry: Sendable {
    let item: CaptureItem
    /// Of a packet; of another item that of the packet before it.
    let frame: Int
    let isPacket: Bool
  }

  /// What an entry takes beside its packet's bytes.
  private static let overhead = 160

  let mostBytes: Int
  private var entries: [Entry] = []
  /// Entries before it have gone; they are cleared away when they are half of all.
  private var first = 0
  private var bytes = 0
  private var latest = Int64.min
  /// Packets so far that had to go for want of memory, and when the latest of them had come.
  private(set) var gone = 0
  private(set) var goneUntil: Int64?

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// From the oldest on.
  var all: ArraySlice<Entry> { entries[first...] }

  /// When the first of these frames came, nanoseconds since 1970; nil where none of them is there any more.
  func earliest(of frames: [Int]) -> Int64? {
    let frames = Set(frames)
    return all.first { $0.isPacket && frames.contains($0.frame) }?.item.nanoseconds
  }

  /// Whether an item can come without another's going.
  func hasRoom(for item: CaptureItem) -> Bool { bytes + Self.bytes(item) <= mostBytes }

  private static func bytes(_ item: CaptureItem) -> Int {
    guard case .packet(let record, _, _) = item else { return overhead }
    return record.data.count + overhead
  }

  /// Takes an item; what is older than `span` nanoseconds goes, and what there is no room for.
  /// - Parameters:
  ///   - now: as of when it is old, where that is before the latest item.
  ///   - holdsAll: nothing goes because it is old.
  mutating func put(
    _ item: CaptureItem, frame: Int, keeping span: Int64, at now: Int64? = nil, holdsAll: Bool
  ) {
    let isPacket = if case .packet = item { true } else { false }
    entries.append(Entry(item: item, frame: frame, isPacket: isPacket))
    bytes += Self.bytes(item)
    latest = max(latest, item.nanoseconds)
    while first < entries.count - 1 {
      let isOld =
        !holdsAll && min(latest, now ?? latest).minus(entries[first].item.nanoseconds) > span
      guard isOld || bytes > mostBytes else { break }
      if !isOld, entries[first].isPacket {
        gone += 1
        goneUntil = entries[first].item.nanoseconds
      }
      removeFirst()
    }
    guard first > 1024, first > entries.count / 2 else { return }
    entries.removeFirst(first)
    first = 0
  }

  private mutating func removeFirst() {
    bytes -= Self.bytes(entries[first].item)
    // Its bytes go now, its place later.
    entries[first] = Entry(
      item: .on(interface: 0, nanoseconds: 0), frame: entries[first].frame, isPacket: false)
    first += 1
  }

  /// Forgets everything: it has been written.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    (first, bytes) = (0, 0)
  }
}

extension Int64 {
  /// The difference, or the nearest number there is: times of a capture may lie centuries apart.
  func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}
