/// Numbers, each with a key, brought into the order of their keys in time that grows with their
/// count alone: byte by byte from the lowest on, bytes in which all keys agree left out.
struct KeyedNumbers {
  private(set) var numbers: [UInt32] = []
  private(set) var keys: [UInt64] = []
  private var numbersBefore: [UInt32] = []
  private var keysBefore: [UInt64] = []

  init(capacity: Int) {
    numbers.reserveCapacity(capacity)
    keys.reserveCapacity(capacity)
  }

  mutating func append(_ number: UInt32, key: UInt64) {
    numbers.append(number)
    keys.append(key)
  }

  /// Gives every number another key; the numbers stay where they are.
  mutating func rekey(_ key: (UInt32) -> UInt64) {
    for place in numbers.indices { keys[place] = key(numbers[place]) }
  }

  /// Ascending; numbers of one key keep their order.
  mutating func sort() {
    guard let first = keys.first else { return }
    var differing: UInt64 = 0
    for key in keys { differing |= key ^ first }
    guard differing != 0 else { return }
    if keysBefore.count != keys.count {
      keysBefore = keys
      numbersBefore = numbers
    }
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xff != 0 {
      swap(&keys, &keysBefore)
      swap(&numbers, &numbersBefore)
      Self.distribute(keysBefore, numbersBefore, shift, to: &keys, &numbers)
    }
  }

  private static func distribute(
    _ keysBefore: [UInt64], _ numbersBefore: [UInt32], _ shift: UInt64,
    to sortedKeys: inout [UInt64], _ sortedNumbers: inout [UInt32]
  ) {
    let keys = keysBefore.span
    let numbers = numbersBefore.span
    var next = [Int](repeating: 0, count: 256)
    for place in keys.indices { next[Int(keys[place] >> shift & 0xff)] += 1 }
    var before = 0
    for digit in next.indices {
      before += next[digit]
      next[digit] = before - next[digit]
    }
    var places = next.mutableSpan
    var sortedKeys = sortedKeys.mutableSpan
    var sortedNumbers = sortedNumbers.mutableSpan
    for place in keys.indices {
      let digit = Int(keys[place] >> shift & 0xff)
      let target = places[digit]
      places[digit] = target &+ 1
      sortedKeys[target] = keys[place]
      sortedNumbers[target] = numbers[place]
    }
  }
}

/// Numbers filed under owners that are numbered from 0: one array for all of them.
struct FiledNumbers: Sendable {
  private var numbers: [UInt32]
  /// Where each owner's begin, and the end.
  private var starts: [UInt32]

  /// - Parameter owner: of each of the numbers from 0 to `count`.
  init(count: Int, owners: Int, owner: (Int) -> Int) {
    starts = [UInt32](repeating: 0, count: owners + 1)
    for number in 0..<count { starts[owner(number)] += 1 }
    var before: UInt32 = 0
    for place in starts.indices {
      before += starts[place]
      starts[place] = before
    }
    numbers = [UInt32](repeating: 0, count: count)
    // From the back, so that each owner's numbers ascend and `starts` ends where they begin.
    for number in (0..<count).reversed() {
      let place = owner(number)
      starts[place] -= 1
      numbers[Int(starts[place])] = UInt32(number)
    }
  }

  /// Where an owner's numbers begin.
  func start(of owner: Int) -> Int { Int(starts[owner]) }

  /// The number at a place of all there are.
  func number(at place: Int) -> UInt32 { numbers[place] }

  /// Ascending.
  subscript(owner: Int) -> ArraySlice<UInt32> {
    numbers[Int(starts[owner])..<Int(starts[owner + 1])]
  }
}
