/// Why a recording cannot be made.
package struct RecordingProblem: Error, Equatable, Sendable {
  /// As the user named it.
  package let path: String
  package let what: String
  /// What to do about it.
  package let remedy: String
}

/// How a recording goes, for people.
package struct RecordingState: Equatable, Sendable {
  /// The file under way, or the one before it; empty before the first.
  package var path = ""
  /// Files begun so far.
  package var files = 0
  /// Written to the file under way.
  package var bytes: Int64 = 0
  /// Packets written, in all files.
  package var packets = 0
  /// Packets that are in no file, because they could not be written.
  package var notWritten = 0
  /// Older files that went because the disk was full.
  package var givenAway = 0
  /// What keeps packets from being written now, or may have kept them from the disk; nil while all
  /// is well.
  package var problem: String?
  /// What did, the last time that packets were not written; nil: all were.
  package var lastFailure: String?
  /// Why older files stay that were to go; nil: none does. Packets are written all the same.
  package var notRemoved: String?
}

/// When what was written is forced onto the disk. A kill loses nothing in any case; this is for power
/// cuts.
package enum SyncPolicy: Equatable, Sendable {
  /// The system decides.
  case never
  /// After so many seconds at the latest, beside the run: a slow disk does not hold it up.
  case every(seconds: Int)
  /// Before the analysis goes on.
  case always
}
