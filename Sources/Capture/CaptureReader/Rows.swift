/// Fixed-size values one behind the other: what a stage of the data path hands to the next.
///
/// An array without copy-on-write. Appending to an array asks each time whether somebody else holds
/// its storage; with three stages that was more than a tenth of what a frame costs. Here there is
/// one owner by construction, so there is nothing to ask. Every access is checked.
@safe public struct Rows<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var room: Int
  @usableFromInline var used = 0

  /// - Parameter capacity: values there is room for at once; more make it grow.
  @inlinable
  public init(capacity: Int = 16) {
    room = max(1, capacity)
    unsafe base = Self.allocate(room)
  }

  /// At the beginning of a cache line: values of its size then lie in one line each.
  @usableFromInline
  static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
    unsafe UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Element>.stride,
      alignment: max(64, MemoryLayout<Element>.alignment)
    ).bindMemory(to: Element.self, capacity: count)
  }

  /// - Parameter count: at least 1.
  @inlinable
  public init(repeating element: Element, count: Int) {
    precondition(count > 0, "no rows")
    room = count
    used = count
    unsafe base = Self.allocate(count)
    unsafe base.initialize(repeating: element, count: count)
  }

  @inlinable
  deinit { unsafe base.deallocate() }

  @inlinable @inline(__always)
  public var count: Int { used }

  @inlinable @inline(__always)
  public var isEmpty: Bool { used == 0 }

  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    if used == room { grow() }
    unsafe (base + used).initialize(to: element)
    used &+= 1
  }

  /// Appends one of others as it lies there: field by field takes longer.
  @inlinable @inline(__always)
  public mutating func append(_ others: Span<Element>, at place: Int) {
    precondition(place >= 0 && place < others.count, "no such row")
    if used == room { grow() }
    unsafe others.withUnsafeBufferPointer { others in
      guard let start = others.baseAddress else { return }
      unsafe (base + used).initialize(from: start + place, count: 1)
    }
    used &+= 1
  }

  /// Takes in what has been written behind the last value, in room that was reserved.
  @unsafe @inlinable @inline(__always)
  public mutating func keep(upTo end: UnsafeMutablePointer<Element>) {
    unsafe used = end - base
  }

  /// Makes room for so many more.
  @inlinable
  public mutating func reserve(_ more: Int) {
    while room - used < more { grow() }
  }

  /// Where the values lie, for loops whose indices cannot be wrong; until the next change of size.
  @unsafe @inlinable @inline(__always)
  public var pointer: UnsafeMutablePointer<Element> { unsafe base }

  /// Forgets everything, keeps the room.
  @inlinable @inline(__always)
  public mutating func removeAll() { used = 0 }

  /// Forgets all from the one with this index on.
  public mutating func removeAll(from index: Int) {
    precondition(index >= 0 && index <= used, "no such row")
    used = index
  }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < used, "no such row")
      return unsafe base[index]
    }
    set {
      precondition(index >= 0 && index < used, "no such row")
      unsafe base[index] = newValue
    }
  }

  /// Lends the values. (A property would need lifetime annotations, which are experimental still.)
  @inlinable @inline(__always)
  public borrowing func withSpan<R: ~Copyable, E: Error>(
    _ body: (Span<Element>) throws(E) -> R
  ) throws(E) -> R {
    try body(unsafe UnsafeBufferPointer(start: base, count: used).span)
  }

  // Kept out of the loops that append: it would cost them the registers.
  @usableFromInline @inline(never)
  mutating func grow() {
    let larger = unsafe Self.allocate(room * 2)
    unsafe larger.moveInitialize(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = larger
    room *= 2
  }
}

extension Rows {
  /// A copy, for where speed does not matter.
  public var array: [Element] { (0..<used).map { self[$0] } }

  public var indices: Range<Int> { 0..<used }
  public var first: Element? { isEmpty ? nil : self[0] }
}

// Values without references, behind a pointer that nobody else has.
extension Rows: @unchecked Sendable where Element: Sendable {}
