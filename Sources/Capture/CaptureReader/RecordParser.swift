/// Splits the bytes of one container into records.
///
/// A parser is handed what is there (from the first byte it has not consumed) and takes as many
/// whole records as fit the batch. It is called once per window, never per record.
public protocol RecordParser {
  /// - Parameters:
  ///   - bytes: everything read and not yet consumed; records' `start` counts from its first byte.
  ///   - offset: position of that byte in the (unpacked) input.
  ///   - final: no more bytes will come.
  /// - Returns: how many bytes are done with. Fewer than there are: the rest is handed in again,
  ///   with more behind it.
  mutating func parse(
    _ bytes: RawSpan, at offset: Int64, final: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) -> Int
}

/// One row per container format, tried in order on the first bytes of an input.
public struct CaptureFormat: Sendable {
  /// As it stands in output: `btsnoop`, `pcap`, `pcapng`, `packetlogger`.
  public let name: String
  /// As people call it.
  public let title: String
  /// How files of it are called.
  public let endings: [FileEnding]
  /// Whether the input begins like this format.
  public let recognises: @Sendable (_ head: RawSpan) -> Bool
  public let open: @Sendable (_ capture: String) -> any RecordParser
}

/// What stands behind the last dot of a file's name.
public struct FileEnding: Sendable {
  /// Lower case, without the dot.
  public let text: String
  /// Whether it says by itself that a file is a capture: one that cannot be read is told of then, and not
  /// passed over. Logs and texts may be anything.
  public let isOfCapturesAlone: Bool
  /// Whether observers' names are without it.
  public let isLeftOutOfNames: Bool

  init(_ text: String, isOfCapturesAlone: Bool = true, isLeftOutOfNames: Bool = true) {
    self.text = text
    self.isOfCapturesAlone = isOfCapturesAlone
    self.isLeftOutOfNames = isLeftOutOfNames
  }
}

/// All container formats. PacketLogger has no magic and is tried last. (btsnooz, a piece of a text, is
/// looked for when no format takes an input.)
public enum CaptureFormats {
  public static let all: [CaptureFormat] = [
    Btsnoop.format, Pcap.format, Pcapng.format, PacketLogger.format,
  ]

  public static let endings = all.flatMap(\.endings) + Btsnooz.endings
  /// Endings of what is packed, which stand behind the container's own.
  public static let packings = ["gz", "zst"]
  /// Those of what is packed as it cannot be read.
  public static let unreadPackings = ["xz", "bz2", "lz4", "zip", "7z", "rar"]

  public static func recognise(_ head: [UInt8]) -> CaptureFormat? {
    all.first { format in head.withRawSpan { format.recognises($0) } }
  }

  /// Bytes a recogniser may want to see.
  public static let headLength = 4096
}

/// The largest record any container may claim (Wireshark's limit, wiretap/wtap.h).
public let maximumRecordLength = 262_144
