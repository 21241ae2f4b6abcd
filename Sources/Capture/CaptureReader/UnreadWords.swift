/// What a pcapng file says beside its packets and nobody here reads, counted: whoever writes it anew leaves it out.
public struct UnreadWords: Sendable {
  /// Of sections, interfaces, packets and statistics.
  public internal(set) var comments = 0
  /// Of machines, systems and programs; of interfaces what they are, and their filters.
  public internal(set) var descriptions = 0
  /// Of interfaces: of the network, and their own.
  public internal(set) var addresses = 0
  public internal(set) var otherOptions = 0
  /// Blocks of names, of secrets, and of other types that are no packets.
  public internal(set) var nameBlocks = 0
  public internal(set) var secretBlocks = 0
  public internal(set) var otherBlocks = 0

  public init() {}

  /// An option of a section's header.
  mutating func noteSection(_ code: UInt16) {
    switch code {
    case 1: comments += 1
    case 2, 3, 4: descriptions += 1
    default: otherOptions += 1
    }
  }

  /// An option of an interface that is not read; numbers about its clock and speed are no words.
  mutating func noteInterface(_ code: UInt16) {
    switch code {
    case 1: comments += 1
    case 3, 11, 12, 15: descriptions += 1
    case 4...7: addresses += 1
    case 2, 8...10, 13, 14, 16, 17: break
    default: otherOptions += 1
    }
  }

  /// A block that is no packet, no section, no interface and no statistics.
  mutating func noteBlock(_ type: UInt32) {
    switch type {
    case 4: nameBlocks += 1
    case 10: secretBlocks += 1
    default: otherBlocks += 1
    }
  }
}
