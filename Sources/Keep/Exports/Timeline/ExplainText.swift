/// The chain behind one event, in words: what happened, by which rule and numbers, and the frames
/// that decided it with their bytes.
package struct ExplainText {
  package let width: Int
  static let column = 27

  /// - Parameter width: columns of the terminal, nil where the output is not one; less than 60 are
  ///   taken for 60.
  package init(width: Int?) { self.width = max(width ?? AnalysisText.width, 60) }

  package func lines(_ explanation: Explanation) -> [String] {
    var lines = TextFit.wrap(explanation.title, indent: 0, hanging: 2, width: width)
    for step in explanation.steps {
      lines += step.text.map { row(step.label, $0) } ?? proofs(step.label, explanation.proofs)
    }
    for clock in explanation.clocks { lines += row("its clock", TextColumns.printable(clock)) }
    return lines + sources(explanation.captures)
  }

  func row(_ label: String, _ text: String) -> [String] {
    let body = text.split(separator: "\n").flatMap {
      TextFit.wrap(String($0), indent: Self.column, width: width)
    }
    guard let first = body.first else { return [] }
    return ["  " + TextColumns.left(label, Self.column - 2) + first.dropFirst(Self.column)]
      + body.dropFirst()
  }

  private func proofs(_ label: String, _ proofs: [Explanation.Proof]) -> [String] {
    let indent = String(repeating: " ", count: 6)
    return proofs.enumerated().flatMap { place, proof in
      row(place == 0 ? label : "and", Self.words(proof))
        + (proof.bytes?.lines(width: width - 6) ?? []).map { indent + $0 }
    }
  }

  /// `frame 9 608 of a.btsnoop`, and what else is to be said of it.
  private static func words(_ proof: Explanation.Proof) -> String {
    let (number, file) = (TextColumns.grouped(proof.number), TextColumns.printable(proof.file))
    switch proof.place {
    case .line: return "line \(number) of \(file)"
    case .frame: return "frame \(number) of \(file)" + (proof.words.map { ", " + $0 } ?? "")
    }
  }
}
