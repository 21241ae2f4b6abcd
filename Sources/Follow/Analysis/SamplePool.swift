/// Counts of samples by bucket, for many owners. Each has a window of buckets that grows with the
/// spread of its samples: two bytes a bucket, eight buckets at least.
package struct SamplePool: Sendable {
  /// Where an owner's counts lie.
  package struct Window: BitwiseCopyable, Sendable {
    /// In units of the narrowest window.
    var row: UInt32 = 0
    /// Its first bucket.
    var base: UInt16 = 0
    /// Its buckets: a power of two times eight; 0 without a sample.
    var width: UInt16 = 0

    package init() {}
  }

  package static let narrowest = 8
  /// Counts there is room for beyond need.
  private static let reserve = 1 << 14

  private let first: Int
  /// Counts in windows, given back or not.
  private var used = 0

  /// All windows, to be counted in. A count that is full is not to be added to here (`add`).
  var counts: [UInt16] = []
  /// Rows given back, by width: 8, 16, 32 …
  private var free = [[UInt32]](repeating: [], count: 16)
  /// What counts have lost by overflowing, by their place.
  private var overflown: [Int: Int] = [:]

  /// - Parameter first: buckets of an owner's first window: 8, 16, 32 …
  package init(first: Int = narrowest) { self.first = first }

  @inline(__always)
  static func place(_ bucket: Int, _ window: Window) -> Int? {
    let inside = bucket &- Int(window.base)
    guard UInt(bitPattern: inside) < UInt(window.width) else { return nil }
    return Int(window.row) &* narrowest &+ inside
  }

  /// - Parameter bucket: 0..<1024.
  package mutating func add(_ bucket: Int, to window: inout Window) {
    if window.width == 0 {
      open(&window, toHold: bucket)
    } else if Self.place(bucket, window) == nil {
      widen(&window, toHold: bucket)
    }
    guard let place = Self.place(bucket, window) else { return }
    counts[place] &+= 1
    if counts[place] == 0 { overflown[place, default: 0] += 1 << 16 }
  }

  /// A count from where the window lies, so that it comes near the processor.
  func touch(_ window: Window) -> Int {
    window.width == 0 ? 0 : Int(counts[Int(window.row) * Self.narrowest])
  }

  /// Every bucket with samples, ascending.
  package func forEach(in window: Window, _ body: (_ bucket: Int, _ count: Int) -> Void) {
    let row = Int(window.row) * Self.narrowest
    for place in row..<(row + Int(window.width)) {
      let count = Int(counts[place]) + (overflown.isEmpty ? 0 : overflown[place] ?? 0)
      if count > 0 { body(Int(window.base) + place - row, count) }
    }
  }

  /// A window for an owner's first sample.
  private mutating func open(_ window: inout Window, toHold bucket: Int) {
    window.width = UInt16(first)
    window.base = UInt16(max(0, bucket - first / 2))
    window.row = row(of: window.width)
  }

  /// Moves the counts to a window that holds one more bucket, with room on either side.
  @inline(never)
  private mutating func widen(_ window: inout Window, toHold bucket: Int) {
    var (low, high) = (bucket, bucket)
    forEach(in: window) { used, _ in
      low = min(low, used)
      high = max(high, used)
    }
    let span = high - low + 1
    var new = Window()
    new.width = UInt16(Self.narrowest)
    while Int(new.width) < span { new.width *= 2 }
    new.base = UInt16(max(0, low - (Int(new.width) - span) / 2))
    new.row = row(of: new.width)
    let (from, to) = (Int(window.row) * Self.narrowest, Int(new.row) * Self.narrowest)
    for inside in 0..<Int(window.width) {
      let bucket = Int(window.base) + inside - Int(new.base)
      if bucket >= 0 && bucket < Int(new.width) {
        counts[to + bucket] = counts[from + inside]
        if !overflown.isEmpty, let lost = overflown.removeValue(forKey: from + inside) {
          overflown[to + bucket] = lost
        }
      }
    }
    if window.width > 0 { giveBack(window) }
    window = new
  }

  /// A row of zeros.
  private mutating func row(of width: UInt16) -> UInt32 {
    if let row = free[width.trailingZeroBitCount].popLast() { return row }
    if used + Int(width) > counts.count {
      counts.append(contentsOf: repeatElement(0, count: max(Self.reserve, Int(width))))
    }
    defer { used += Int(width) }
    return UInt32(used / Self.narrowest)
  }

  private mutating func giveBack(_ window: Window) {
    let row = Int(window.row) * Self.narrowest
    for place in row..<(row + Int(window.width)) { counts[place] = 0 }
    free[window.width.trailingZeroBitCount].append(window.row)
  }
}
