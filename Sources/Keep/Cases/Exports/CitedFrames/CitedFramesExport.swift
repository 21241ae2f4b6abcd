import CaptureReader
import CaptureWriter
import CaseStore
import Exports

/// The cited frames as a pcapng capture, with a comment on each: what cites it, and where it comes from.
/// An interface for each capture and link type.
enum CitedFramesExport {
  static let form = CaseExport(
    name: "pcapng", purpose: "The cited frames with comments, for Wireshark and other readers.",
    usualName: "cited.pcapng", shape: .binary(write))

  /// By time, but each capture's own order is kept: where a clock stepped back, and for frames without a
  /// time, which may be a piece of a report whose other pieces have one.
  private static let order =
    "MAX(time_ns) OVER (PARTITION BY capture_id ORDER BY frame), capture_id, frame"

  /// Comments may have 65 535 bytes; whoever reads one wants fewer.
  private static let mostInComment = 4000

  @Sendable
  static func write(_ file: CaseFile, _ output: inout any TextOutput) throws -> [String] {
    var leftOut = LeftOut()
    let names = try CaseNames(file)
    let interfaces = try FrameInterfaces(file, names)
    let citations = try FrameCitations(file, names)
    let writer = PcapngWriter(.little, interfaces.all)
    var bytes = writer.header(comment: try section(file))
    try file.forEach(FrameRow.self, order: order) { frame in
      guard let packet = PcapngPacket(frame) else {
        return leftOut.add("cited frame", "of unknown packets")
      }
      // A time that pcapng cannot hold becomes the first one, and the comment says so.
      let hasTime = (frame.timeNs ?? -1) >= 0
      let name = names.captures[frame.captureId] ?? "capture \(frame.captureId)"
      var comment = "\(TextColumns.printable(name)) frame \(frame.frame)"
      if !hasTime { comment += "\nwithout a time" }
      if let moved = names.moved[capture: frame.captureId], let time = frame.timeNs {
        comment += "\n" + MovedClocks.words(moved, time: time)
      } else if let how = names.moved.how(capture: frame.captureId) {
        comment += "\n" + MovedClocks.words(how: how)
      }
      comment += "\n" + citations[frame]
      writer.append(
        Record(
          hasTime ? frame.timeNs ?? 0 : 0, packet.bytes,
          // As much was cut as before, of a packet that has a header now.
          original: frame.originalBytes.map { packet.bytes.count + max($0 - frame.bytes.count, 0) }),
        interface: interfaces.place(frame.captureId, packet.linkType), direction: packet.direction,
        comment: cut(comment), to: &bytes)
      if bytes.count >= Exports.chunk {
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try output.write(bytes)
    return leftOut.sentences
  }

  /// What the frames come from.
  private static func section(_ file: CaseFile) throws -> String {
    var lines = [CutWords.cited]
    try file.forEach(CaptureRow.self) { capture in
      let digest = capture.sha256.map { " sha256 \($0)" } ?? ""
      let moved =
        capture.movedHow.map { ", " + MovedClocks.words(how: $0) }
        ?? capture.movedNs.flatMap { $0 == 0 ? nil : ", " + MovedClocks.words($0) } ?? ""
      lines.append(TextColumns.printable(capture.name) + digest + moved)
    }
    return cut(lines.joined(separator: "\n"), most: 60_000)
  }

  /// Whole lines only.
  private static func cut(_ comment: String, most: Int = mostInComment) -> String {
    guard comment.utf8.count > most else { return comment }
    var text = ""
    var count = 0
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines where text.utf8.count + line.utf8.count < most {
      text += line + "\n"
      count += 1
    }
    return text + "and \(lines.count - count) more"
  }
}

/// The interfaces of the file: one for each capture and link type.
private struct FrameInterfaces {
  private(set) var all: [PcapngWriter.Interface] = []
  private var places: [Key: Int] = [:]

  private struct Key: Hashable {
    let capture: Int64
    let linkType: UInt16
  }

  init(_ file: CaseFile, _ names: CaseNames) throws {
    try file.forEach(FrameRow.self, order: "capture_id, frame") { frame in
      guard let linkType = PcapngPacket(frame)?.linkType else { return }
      let key = Key(capture: frame.captureId, linkType: linkType)
      guard places[key] == nil else { return }
      places[key] = all.count
      let name = names.captures[frame.captureId].map { TextColumns.printable($0) }
      all.append(PcapngWriter.Interface(linkType: linkType, name: name, resolution: 9))
    }
  }

  func place(_ capture: Int64, _ linkType: UInt16) -> Int {
    places[Key(capture: capture, linkType: linkType)] ?? 0
  }
}

extension PcapngPacket {
  /// Nil where it is not known what the packet is.
  fileprivate init?(_ frame: FrameRow) {
    self.init(
      Array(frame.bytes), linkType: frame.linkType, tag: frame.tag,
      isReceived: frame.direction.map { $0 == "received" })
  }
}
