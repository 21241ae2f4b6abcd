import Analysis

/// Where times are left out.
extension TimeScale {
  /// Between the pieces.
  private var pauses: [Stretches.Span] {
    zip(pieces, pieces.dropFirst()).map { Stretches.Span(from: $0.to, to: $1.from) }
  }

  /// Whether a time that is left out may never have been: within a capture a clock that was set forward and a time
  /// without a record look the same.
  private func mayBeStep(_ pause: Stretches.Span) -> Bool {
    steps.contains { $0.from <= pause.from && $0.to >= pause.to }
  }

  var mayHaveSteps: Bool { pauses.contains(where: mayBeStep) }

  private static let orStep = "nothing was recorded, or the clock was set forward"

  /// A sentence; nil where nothing is left out.
  var leftOut: String? {
    guard !pauses.isEmpty else { return nil }
    let length = Words.duration(Recorded.sum(pauses))
    let left = "in \(Words.counted(pauses.count, "pause")) that charts leave out"
    return mayHaveSteps
      ? "No record is of \(length) of that, \(left): \(Self.orStep)."
      : "Nothing was recorded for \(length) of that, \(left)."
  }

  /// A mark across a chart for each.
  var cuts: HTMLText {
    zip(zip(pieces, pieces.dropFirst()), pauses).map { pair, pause -> HTMLText in
      let isStep = mayBeStep(pause)
      let what: HTMLText = isStep ? "no record" : "nothing recorded"
      let why: HTMLText = isStep ? ": \(Self.orStep)" : ""
      return """
        <i class="cut" style="--t:\(Self.share(pair.0.end));--w:\(Self.share(pair.1.begin - pair.0.end))" \
        title="\(what) for \(Words.duration(pause.length)), from \(clock(pause.from)) to \(clock(pause.to))\(why)"></i>
        """
    }.joined()
  }

  /// What the script goes by; nil where nothing is left out.
  func pieces(_ data: inout ScriptData) {
    guard pieces.count > 1 else { return }
    data.key("pieces")
    data.array { data in
      for piece in pieces {
        data.array { data in
          data.text(String(piece.from))
          data.text(String(piece.to))
          data.number(piece.begin)
          data.number(piece.end)
        }
      }
    }
  }
}
