/// Records that have been read and cannot be handed on yet: what comes behind them says what their times
/// are worth. Their bytes stay in the window until they are.
struct HeldRecords {
  /// `start` counts from the first byte of the window that is not consumed.
  private var records: [CaptureRecord] = []
  private var fixes: [PositionFix] = []
  /// So many of the window's bytes have been read as records already.
  private(set) var read = 0

  var isEmpty: Bool { records.isEmpty }

  /// Puts them before those that have been read behind them.
  mutating func join(_ batch: inout RecordBatch, _ log: inout ContainerLog) {
    let fresh = batch.records.array
    batch.records.removeAll()
    for record in records { batch.records.append(record) }
    for record in fresh { batch.records.append(record.moved(by: read)) }
    log.fixes.insert(contentsOf: fixes, at: 0)
    (records, fixes, read) = ([], [], 0)
  }

  /// Takes those from an index on out of a batch. Returns how many bytes of the window can go with the rest.
  /// - Parameter end: so many have been read.
  mutating func take(
    from index: Int, of batch: inout RecordBatch, _ log: inout ContainerLog, read end: Int
  ) -> Int {
    let first = batch.records[index]
    let done = Int(first.start)
    records = (index..<batch.records.count).map { batch.records[$0].moved(by: -done) }
    fixes = log.fixes.filter { $0.frame >= first.frame }
    log.fixes.removeAll { $0.frame >= first.frame }
    batch.records.removeAll(from: index)
    read = end - done
    return done
  }
}

extension CaptureRecord {
  fileprivate func moved(by bytes: Int) -> CaptureRecord {
    var moved = self
    // One that has no bytes may say that they begin anywhere.
    moved.start = max(0, moved.start + Int32(truncatingIfNeeded: bytes))
    return moved
  }
}
