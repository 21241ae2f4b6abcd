import Glibc
import Synchronization

/// A fixed number of values that are all zeros at first: pages that the system hands out when they
/// are touched. The first tables take huge pages, which are dear where little is used; any more take as
/// little as they need.
@safe struct ZeroedRows<Element: BitwiseCopyable>: ~Copyable {
  /// Where the values lie, for loops whose indices cannot be wrong.
  let pointer: UnsafeMutablePointer<Element>
  let count: Int
  private let mapped: UnsafeMutableRawBufferPointer

  /// Stops the program where the system has no memory left, as every allocation does.
  init(count: Int) {
    self.count = count
    let bytes = Self.bytes(count)
    let all = bytes + Self.hugePage
    let pages = unsafe mmap(
      nil, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else {
      fatalError("no memory for \(bytes) bytes")
    }
    unsafe mapped = UnsafeMutableRawBufferPointer(start: pages, count: all)
    let start = unsafe pages.alignedUp(toMultipleOf: Self.hugePage)
    // Rows are used here and there: as ordinary pages each would cost a fault of its own. Many captures
    // at once rather take no more memory than they need.
    let isHuge = tables.add(1, ordering: .relaxed).newValue <= mostHugeTables
    unsafe _ = madvise(start, bytes, isHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)
    unsafe pointer = start.bindMemory(to: Element.self, capacity: count)
  }

  deinit {
    unsafe _ = munmap(mapped.baseAddress, mapped.count)
    tables.subtract(1, ordering: .relaxed)
  }

  private static var hugePage: Int { 1 << 21 }

  /// Whole huge pages.
  private static func bytes(_ count: Int) -> Int {
    (count * MemoryLayout<Element>.stride + hugePage - 1) & ~(hugePage - 1)
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count, "no such row")
      return unsafe pointer[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "no such row")
      unsafe pointer[index] = newValue
    }
  }
}

// Values without references, behind a pointer that nobody else has.
extension ZeroedRows: @unchecked Sendable where Element: Sendable {}

/// Tables that there are.
private let tables = Atomic<Int>(0)
private let mostHugeTables = 8
