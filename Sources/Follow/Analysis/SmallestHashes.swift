/// A sample of rows that has the same ones of the same rows, whatever else comes: those of the smallest hashes (MinHash).
struct SmallestHashes<Row: HashedRow>: Sendable {
  private var rows: [Row] = []
  /// Larger ones are in no sample any more.
  private(set) var limit = UInt64.max
  private let most: Int

  /// - Parameter most: rows that are kept; twice as many between two clearings.
  init(most: Int) { self.most = most }

  /// - Parameter row: of a hash below the limit.
  mutating func add(_ row: Row) {
    rows.append(row)
    guard rows.count == 2 * most else { return }
    rows = sorted
    guard rows.count > most else { return }
    rows.removeSubrange(most...)
    limit = rows[most - 1].hash
  }

  private var sorted: [Row] {
    var before: Row?
    return rows.sorted { $0.comes(before: $1) }.filter { row in
      defer { before = row }
      return before.map { !row.isRepeat(of: $0) } ?? true
    }
  }

  /// In order, each once, and up to where they are complete.
  var complete: (rows: [Row], limit: UInt64) { (sorted, limit) }
}

protocol HashedRow: BitwiseCopyable, Sendable {
  var hash: UInt64 { get }
  /// By hash first.
  func comes(before other: Self) -> Bool
  func isRepeat(of other: Self) -> Bool
}

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
enum SplitMix {
  /// What it adds from one number to the next.
  static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Its finaliser: each bit of a value changes half of those of the result.
  static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
