package import CaptureWriter

/// Whole files at once, as tests want them.
extension RecordWriter {
  package func file(_ records: [Record]) -> [UInt8] {
    var writer = self
    var bytes = header
    for record in records { writer.append(record, to: &bytes) }
    writer.finish(to: &bytes)
    return bytes
  }
}
