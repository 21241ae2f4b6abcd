import CaptureReader
import Exports

/// Inputs that are others once more, byte for byte. They say nothing that these do not: read as well, they
/// would count everything twice, as if two receivers had heard it.
struct CopiedInputs {
  /// A file that is left out, and the one that is read for it.
  typealias Copy = (name: String, first: String)

  /// What is read, in the run's order.
  let sources: [CaptureSource]
  let leftOut: [Copy]

  /// Of all files that are left out.
  var bytesLeftOut: Int64 {
    leftOut.reduce(0) { $0 + Int64(InputList.size(of: $1.name) ?? 0) }
  }

  /// - Parameters:
  ///   - kept: names of captures that are read whatever they hold.
  ///   - receivers: by place of the capture, what somebody called its receiver. Files of receivers that are
  ///     called otherwise, or whose clocks are set right in another way, are read each. Asked where there
  ///     are copies.
  init(
    _ sources: [CaptureSource], keeping kept: some Collection<String>,
    receivers: ([String]) throws -> [Int: String]
  ) rethrows {
    let groups = Self.alike(sources).map { group in
      group.filter { !kept.contains(sources[$0].name) }
    }.filter { $0.count > 1 }
    guard !groups.isEmpty else {
      (self.sources, leftOut) = (sources, [])
      return
    }
    let names = try receivers(sources.map(\.name))
    var firsts: [Int: Int] = [:]
    for group in groups { Self.take(group, sources, names, into: &firsts) }
    self.sources = sources.indices.filter { firsts[$0] == nil }.map { sources[$0] }
    leftOut = firsts.sorted { $0.key < $1.key }.map {
      (sources[$0.key].name, sources[$0.value].name)
    }
  }

  /// Of each of these that is left out, which is read for it. One of a receiver that has a name comes before
  /// one that nobody named, and one by its own name before what is called a copy of it.
  private static func take(
    _ group: [Int], _ sources: [CaptureSource], _ names: [Int: String],
    into firsts: inout [Int: Int]
  ) {
    var read: [Int] = []
    let files = group.map { sources[$0].name }
    let copies = Set(
      files.count > mostNamed
        ? []
        : group.filter { place in files.contains { CopyName.isCopy(sources[place].name, of: $0) } })
    let group = group.filter { !copies.contains($0) } + group.filter { copies.contains($0) }
    let named = group.filter { names[$0] != nil }
    for place in named + group.filter({ names[$0] == nil }) {
      let first = read.first {
        sources[$0].correction == sources[place].correction
          && (names[place] == nil || names[$0] == names[place])
      }
      if let first { firsts[place] = first } else { read.append(place) }
    }
  }

  /// Bytes of a header with nothing behind it: those are alike, and nothing in them counts twice.
  private static let mostOfHeader = 64
  /// Files of a group among which it is looked which is called a copy of which.
  private static let mostNamed = 200

  /// Places of files that hold the same, several of each. Only files of one size are looked into, and read
  /// to their end only where they begin alike.
  private static func alike(_ sources: [CaptureSource]) -> [[Int]] {
    let paths = sources.map(\.path)
    let sizes = Dictionary(grouping: sources.indices) { place in
      paths[place].flatMap { InputList.size(of: $0) } ?? 0
    }
    let groups = sizes.filter { $0.key > mostOfHeader && $0.value.count > 1 }.values.flatMap {
      Self.groups($0) { paths[$0].flatMap { beginning(of: $0) } }
    }
    return groups.flatMap { group in
      Self.groups(group) { paths[$0].flatMap { FileDigest.sha256($0) } }
    }.sorted { $0[0] < $1[0] }
  }

  /// What cannot be read is alike with nothing.
  private static func groups(_ places: [Int], by key: (Int) -> String?) -> [[Int]] {
    var groups: [String: [Int]] = [:]
    for place in places {
      if let key = key(place) { groups[key, default: []].append(place) }
    }
    return groups.values.filter { $0.count > 1 }
  }

  /// Bytes: rings of recordings have many files of one size, and each begins with a time of its own.
  private static let firstLook = 1 << 16

  private static func beginning(of path: String) -> String? {
    FileDigest.sha256(path, first: firstLook)
  }

  /// Whether both are files that hold the same.
  static func areAlike(_ one: String, _ other: String) -> Bool {
    guard let size = InputList.size(of: one), size > 0, InputList.size(of: other) == size,
      let first = beginning(of: one), first == beginning(of: other),
      let sum = FileDigest.sha256(one)
    else { return false }
    return sum == FileDigest.sha256(other)
  }

  /// What is said of them where files that were passed over are.
  var problems: [CaptureProblem] {
    leftOut.map { copy in
      CaptureProblem(
        .sameCapture, capture: copy.name,
        detail:
          "is the same file as \(copy.first), byte for byte: left out, so that nothing counts twice"
      )
    }
  }

  func tell() {
    guard let copy = leftOut.first else { return }
    let names = TextColumns.printable("\(copy.name) is \(copy.first) once more, byte for byte")
    let more = leftOut.count - 1
    Terminal.tell(
      more == 0
        ? "\(names): left out."
        : "\(names); \(TextColumns.counted(more, "more file")) \(more == 1 ? "is such a copy" : "are such copies"): "
          + "\(TextColumns.grouped(leftOut.count)) files left out.")
  }
}
