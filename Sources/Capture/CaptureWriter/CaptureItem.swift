/// What a capture that is being made consists of, in its order.
package enum CaptureItem: Sendable {
  /// A packet of an interface.
  case packet(Record, interface: Int, direction: Direction)
  /// So many packets of an interface did not get here, and when that was found out.
  case lost(UInt64, interface: Int, nanoseconds: Int64, by: Loss)
  /// From here on nothing is captured on an interface.
  case off(interface: Int, nanoseconds: Int64)
  /// Capturing goes on.
  case on(interface: Int, nanoseconds: Int64)

  package enum Direction: UInt32, Sendable {
    case unknown = 0, controllerToHost = 1, hostToController = 2
  }

  /// Who lost packets.
  package enum Loss: Sendable, CaseIterable {
    /// The kernel: the socket's buffer was full.
    case kernel
    /// The program: it did not keep up.
    case program
  }
}

extension CaptureItem {
  /// When it came, or was found out; nanoseconds since 1970.
  package var nanoseconds: Int64 {
    switch self {
    case .packet(let record, _, _): record.nanoseconds
    case .lost(_, _, let time, _), .off(_, let time), .on(_, let time): time
    }
  }
}
