import Glibc

/// A fixed number of values that are all zeros at first: pages that the system hands out when they
/// are touched, so that a large table costs nothing where little of it is used.
@safe struct ZeroedRows<Element: BitwiseCopyable>: ~Copyable {
  /// Where the values lie, for loops whose indices cannot be wrong.
  let pointer: UnsafeMutablePointer<Element>
  let count: Int

  /// Stops the program where the system has no memory left, as every allocation does.
  init(count: Int) {
    self.count = count
    let bytes = count * MemoryLayout<Element>.stride
    let pages = unsafe mmap(
      nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else {
      fatalError("no memory for \(bytes) bytes")
    }
    unsafe pointer = pages.bindMemory(to: Element.self, capacity: count)
  }

  deinit { unsafe _ = munmap(pointer, count * MemoryLayout<Element>.stride) }

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
