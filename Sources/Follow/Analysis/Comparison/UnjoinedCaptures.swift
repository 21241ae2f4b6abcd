import CaptureReader
import Regions

/// Captures that follow one another in one folder and are followed as if each were of a radio of its own: a silence
/// or an absence that spans several of them is not found, and none of them is a radio of the other side's.
package struct UnjoinedCaptures: Sendable {
  /// Captures of either side that have such a neighbour.
  package let before: Int
  package let now: Int
  /// Whether `--observers folder` makes one observer of each folder's.
  package let haveFolders: Bool

  /// Nil where there are none, or somebody said whose they are.
  init?(_ before: ComparedSide, _ now: ComparedSide) {
    let names = FolderNames.names(
      before: before.result.captures.map(\.name), now: now.result.captures.map(\.name))
    let (old, new) = (before.following(names.before), now.following(names.now))
    guard old.count + new.count > 0 else { return nil }
    (self.before, self.now) = (old.count, new.count)
    haveFolders =
      old.allSatisfy { names.before[$0] != nil } && new.allSatisfy { names.now[$0] != nil }
  }
}

extension ComparedSide {
  /// The places of captures that follow one another in a folder, each with observers of its own. Those in no
  /// receiver's folder count where no two radios of the side listened at the same time.
  /// - Parameter folders: by place of the capture.
  fileprivate func following(_ folders: [Int: String]) -> [Int] {
    let captures = result.captures
    let heard = captures.indices.filter { place in
      captures[place].span.earliest.isKnown && captures[place].observers.contains { $0.reports > 0 }
    }
    let areSimultaneous = hasSimultaneousRadios
    return Dictionary(grouping: heard) { folders[$0] }.flatMap { folder, places -> [Int] in
      guard places.count > 1, folder != nil || !areSimultaneous else { return [] }
      let names = places.flatMap { captures[$0].observers.filter(\.hasListened).map(\.name) }
      guard Set(names).count == names.count else { return [] }
      // Of captures with one radio each, as far as controllers are known, that has to be the same.
      let controllers = places.map { place in
        Set(captures[place].observers.compactMap(\.knownController))
      }.filter { $0.count == 1 }
      guard Set(controllers).count <= 1 else { return [] }
      let spans = places.map { captures[$0].span }
        .sorted { $0.earliest.nanoseconds < $1.earliest.nanoseconds }
      return zip(spans, spans.dropFirst()).allSatisfy(Self.follows) ? places : []
    }
  }

  /// What a recorder writes once more is a part of either.
  private static func follows(_ last: TimeSpan, _ next: TimeSpan) -> Bool {
    let common = last.latest.nanoseconds.since(next.earliest.nanoseconds)
    let lengths = [last, next].map { $0.latest.nanoseconds.since($0.earliest.nanoseconds) }
    return common <= (lengths.min() ?? 0) / 3
  }
}
