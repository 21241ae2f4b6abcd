package import CaptureReader

/// A message came within reach, or is no longer (SEMANTICS 5).
package struct MessageEvent: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// In the order in which events of one instant come.
    case lost, found
  }
  package let kind: Kind
  /// Found: that of the sighting. Lost: the exit period after the last one.
  package let time: Timestamp
  /// As the caller numbers them.
  package let observer: Int
  /// Index into the subscriptions.
  package let subscription: Int
  /// Index into the messages.
  package let message: Int
  /// The first sighting, or the last one.
  package let evidence: MessageEvidence
}

/// The sighting that decided.
package struct MessageEvidence: BitwiseCopyable, Sendable, Equatable {
  package let time: Timestamp
  /// As the caller numbers them.
  package let capture: Int
  package let frame: Int
  /// Number in the tables of that capture.
  package let transmitter: UInt32

  /// Of an earlier run: its time is known, and nothing that could be cited.
  static func earlier(_ time: Timestamp) -> MessageEvidence {
    MessageEvidence(time: time, capture: 0, frame: 0, transmitter: .max)
  }
  package var isEarlier: Bool { transmitter == .max }
}
