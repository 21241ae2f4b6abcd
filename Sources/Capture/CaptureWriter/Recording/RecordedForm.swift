/// The forms in which a capture can be recorded while it is made.
enum RecordedForm: Sendable {
  case pcapng(PcapngStream)
  case btsnoop(BtsnoopStream)

  /// By the ending of the name.
  init(_ path: String, _ interfaces: [PcapngWriter.Interface]) throws(RecordingProblem) {
    switch Self.ending(path) {
    case ".pcapng": self = .pcapng(PcapngStream(interfaces))
    case ".btsnoop", ".snoop", ".log":
      guard let stream = BtsnoopStream(interfaces) else {
        throw RecordingProblem(
          path: path,
          what:
            "btsnoop holds one interface, of the Linux monitor or of HCI (H4); this capture has "
            + Self.words(interfaces),
          remedy: "Name the file .pcapng, which holds any.")
      }
      self = .btsnoop(stream)
    case ".gz", ".zst":
      throw RecordingProblem(
        path: path,
        what: "a recording is not compressed while it is made: a kill would cost its end",
        remedy: "Name it .pcapng or .btsnoop, and compress it when it is done.")
    case ".pcap":
      throw RecordingProblem(
        path: path, what: "pcap files cannot say what was lost, or when nothing was captured",
        remedy: "Name the file .pcapng.")
    default:
      throw RecordingProblem(
        path: path, what: "the name does not say in what form to record",
        remedy: "Names that do: .pcapng; .btsnoop, .snoop or .log (btsnoop).")
    }
  }

  /// With its dot, lower case; empty for none.
  static func ending(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[dot...].lowercased()
  }

  private static func words(_ interfaces: [PcapngWriter.Interface]) -> String {
    guard interfaces.count == 1 else { return "\(interfaces.count) interfaces" }
    return "link type \(interfaces[0].linkType)"
  }

  /// What a file begins with; it counts losses from none.
  mutating func begin(comment: String) -> [UInt8] {
    switch self {
    case .pcapng(var stream):
      let header = stream.begin(comment: comment)
      self = .pcapng(stream)
      return header
    case .btsnoop(var stream):
      let header = stream.begin()
      self = .btsnoop(stream)
      return header
    }
  }

  /// Returns false where the form cannot hold the packet.
  mutating func append(_ item: CaptureItem, to output: inout [UInt8]) -> Bool {
    switch self {
    case .pcapng(var stream):
      stream.append(item, to: &output)
      // The array of its counters changes with losses alone.
      if case .lost = item { self = .pcapng(stream) }
      return true
    case .btsnoop(var stream):
      let fits = stream.append(item, to: &output)
      self = .btsnoop(stream)
      return fits
    }
  }

  mutating func appendLoss(
    _ count: UInt64, interface: Int, nanoseconds: Int64, comment: String, to output: inout [UInt8]
  ) {
    switch self {
    case .pcapng(var stream):
      stream.appendLoss(
        count, interface: interface, nanoseconds: nanoseconds, comment: comment, to: &output)
      self = .pcapng(stream)
    case .btsnoop(var stream):
      stream.appendLoss(count)
      self = .btsnoop(stream)
    }
  }
}
