/// Finds the header of a capture that was joined behind one whose last record is cut short: the recorder was stopped
/// within it, and what is missing would be taken from the header.
enum JoinedHeader {
  /// - Parameters:
  ///   - at: where a record that makes no sense begins.
  ///   - headerLength: of the container.
  ///   - isHeader: whether one that can be read stands at a place where so many bytes are.
  /// - Returns: where the header begins, the record before it taken back, and the bytes between a gap; nil where none is.
  static func find(
    in bytes: RawSpan, at: Int, offset: Int64, recordHeaderLength: Int, headerLength: Int,
    batch: inout RecordBatch, log: inout ContainerLog, isHeader: (RawSpan, Int) -> Bool
  ) -> Int? {
    let last = batch.records.count - 1
    // It may have been cut within its own header, too. What does not end here is another matter: a header, or damage,
    // stands between.
    let isBefore =
      last >= 0 && Int(batch.records[last].start) + Int(batch.records[last].count) == at
    let data = isBefore ? Int(batch.records[last].start) : at + recordHeaderLength
    let first = data - recordHeaderLength + 1
    let end = min(at + recordHeaderLength, bytes.byteCount - headerLength + 1)
    guard first < end, let place = (first..<end).first(where: { $0 != at && isHeader(bytes, $0) })
    else {
      return nil
    }
    let start = place < at ? first - 1 : at
    if place < at {
      log.frames -= 1
      batch.records.removeAll(from: last)
    }
    let detail = "the capture before another header ends within a record"
    log.note(.recordImplausible, frame: log.frames + 1, offset: offset + Int64(start), detail)
    log.gap(
      ContainerLog.Gap(
        offset: offset + Int64(start), bytes: Int64(place - start), reason: .recordImplausible,
        detail: detail, frame: log.frames + 1))
    return place
  }
}
