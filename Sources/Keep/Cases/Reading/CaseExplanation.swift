package import CaseStore
package import Exports

/// The chain behind one event out of a case, as `explain` tells it from captures.
package enum CaseExplanation {
  /// What a case may know of an event.
  package enum Found {
    case chain(Explanation)
    /// It is there, and its chain was not kept.
    case eventAlone(title: String)
    case nothing
  }

  package static func find(_ id: UInt64, in file: CaseFile) throws -> Found {
    var event: (row: Int64, title: String)?
    try file.forEach(
      select: "SELECT id, title FROM events WHERE event = '\(EventReference.text(id))' LIMIT 1"
    ) { values in
      if case .int(let row) = values[0], let title = values[1].text { event = (row, title) }
    }
    guard let event else { return .nothing }
    let steps = try steps(event.row, file)
    guard !steps.isEmpty else { return .eventAlone(title: event.title) }
    let captures = try captures(event.row, file)
    return .chain(
      Explanation(
        id, title: event.title, steps: steps, proofs: try proofs(event.row, file),
        clocks: try clocks(of: Set(captures.map(\.name)), file), captures: captures))
  }

  private static func steps(_ event: Int64, _ file: CaseFile) throws -> [Explanation.Step] {
    var steps: [Explanation.Step] = []
    try file.forEach(
      select: "SELECT label, text FROM steps WHERE event_id = \(event) ORDER BY id"
    ) { values in
      if let label = values[0].text {
        steps.append(Explanation.Step(label: label, text: values[1].text))
      }
    }
    return steps
  }

  private static func proofs(_ event: Int64, _ file: CaseFile) throws -> [Explanation.Proof] {
    let marks = try Self.marks(event, file)
    var proofs: [Explanation.Proof] = []
    try file.forEach(
      select: """
        SELECT evidence.id, captures.name, files.name, number, words, frames.bytes FROM evidence
          LEFT JOIN frames ON frames.capture_id = evidence.capture_id AND frame = number
          LEFT JOIN captures ON captures.id = evidence.capture_id
          LEFT JOIN files ON files.id = file_id
        WHERE event_id = \(event) ORDER BY evidence.id
        """
    ) { values in
      guard case .int(let row) = values[0], case .int(let number) = values[3] else { return }
      guard let capture = values[1].name else {
        return proofs.append(.line(Int(number), of: values[2].name ?? "a track"))
      }
      guard let words = values[4].text, case .blob(let bytes) = values[5] else {
        return proofs.append(
          .frame(Int(number), of: capture, "which the case does not keep", nil))
      }
      let marked = MarkedBytes(bytes: bytes, marks: marks[row] ?? [])
      proofs.append(.frame(Int(number), of: capture, words, marked))
    }
    return proofs
  }

  /// What was said of clocks that were moved, or stepped back so far that events come too late.
  private static func clocks(of captures: Set<String>, _ file: CaseFile) throws -> [String] {
    var told: [String] = []
    try file.forEach(
      select: """
        SELECT capture, text FROM remarks WHERE code = 'clock_moved'
          OR code = 'time_goes_backwards' AND text LIKE 'the clock steps back%' ORDER BY id
        """
    ) { values in
      guard let capture = values[0].name, let text = values[1].text, captures.contains(capture)
      else { return }
      told.append("\(capture): \(text)")
    }
    return told
  }

  private static func captures(_ event: Int64, _ file: CaseFile) throws -> [ExplainCapture] {
    var captures: [ExplainCapture] = []
    try file.forEach(
      select: """
        SELECT name, bytes, sha256, json_group_array(number), container,
          (SELECT min(resumed_at_frame) FROM damage WHERE capture_id = captures.id) FROM evidence
          JOIN captures ON captures.id = evidence.capture_id
        WHERE event_id = \(event) GROUP BY captures.id ORDER BY captures.id
        """
    ) { values in
      guard let name = values[0].name, let numbers = values[3].text else { return }
      var bytes: Int64?
      if case .int(let count) = values[1] { bytes = count }
      var damagedFrom: Int?
      if case .int(let frame) = values[5] { damagedFrom = Int(frame) }
      captures.append(
        ExplainCapture(
          name: name, bytes: bytes, sha256: values[2].text,
          frames: numbers.split { !$0.isNumber }.compactMap { Int($0) }, container: values[4].text,
          damagedFrom: damagedFrom))
    }
    return captures
  }

  /// By row of the evidence.
  private static func marks(_ event: Int64, _ file: CaseFile) throws -> [Int64: [MarkedBytes.Mark]]
  {
    var marks: [Int64: [MarkedBytes.Mark]] = [:]
    try file.forEach(
      select: """
        SELECT evidence.id, value ->> 0, value ->> 1, value ->> 2 FROM evidence, json_each(marks)
        WHERE event_id = \(event) ORDER BY evidence.id, json_each.id
        """
    ) { values in
      guard case .int(let row) = values[0], let name = values[1].text,
        case .int(let first) = values[2], case .int(let count) = values[3], first >= 0, count >= 0,
        count <= Int64.max - first
      else { return }
      marks[row, default: []].append(
        MarkedBytes.Mark(name: name, range: Int(first)..<Int(first + count)))
    }
    return marks
  }
}

extension CaseValue {
  /// Of a file: shown by whoever shows it.
  fileprivate var name: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  fileprivate var text: String? {
    // Anybody may write into a case.
    name.map { TextColumns.printable($0) }
  }
}
