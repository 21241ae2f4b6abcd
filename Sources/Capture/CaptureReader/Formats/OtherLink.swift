/// A capture of another link type behind the first one in the same file (`cat a.pcap b.pcap`). One observer of a
/// pcap or btsnoop file has one link type: the rest of the file is left out, and counted.
struct OtherLink {
  /// Of its header, in the input.
  private let offset: Int64
  private let detail: String
  /// The reader may ask once more when everything has been taken.
  private var isTold = false

  init(offset: Int64, detail: String, _ log: inout ContainerLog) {
    self.offset = offset
    self.detail = detail + ": files of several link types were joined; give each by itself"
    log.note(.linkTypeChanges, frame: log.frames + 1, offset: offset, self.detail)
  }

  /// Takes all that is there.
  mutating func skip(
    _ bytes: RawSpan, at place: Int64, final: Bool, _ log: inout ContainerLog
  ) -> Int {
    if final && !isTold {
      isTold = true
      log.gap(
        ContainerLog.Gap(
          offset: offset, bytes: place + Int64(bytes.byteCount) - offset, reason: .linkTypeChanges,
          detail: detail, frame: log.frames + 1, isResumed: false))
    }
    return bytes.byteCount
  }
}
