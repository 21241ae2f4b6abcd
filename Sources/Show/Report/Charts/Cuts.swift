import Analysis

/// Where times are left out.
extension TimeScale {
  /// Between the pieces.
  private var pauses: [Stretches.Span] {
    zip(pieces, pieces.dropFirst()).map { Stretches.Span(from: $0.to, to: $1.from) }
  }

  /// A sentence; nil where nothing is left out.
  var leftOut: String? {
    guard !pauses.isEmpty else { return nil }
    let length = Words.duration(Recorded.sum(pauses))
    return
      "Nothing was recorded for \(length) of that, in \(Words.counted(pauses.count, "pause")) that charts leave out."
  }

  /// A mark across a chart for each.
  var cuts: HTMLText {
    zip(zip(pieces, pieces.dropFirst()), pauses).map { pair, pause -> HTMLText in
      """
      <i class="cut" style="--t:\(Self.share(pair.0.end));--w:\(Self.share(pair.1.begin - pair.0.end))" \
      title="nothing recorded for \(Words.duration(pause.length)), from \(clock(pause.from)) to \(clock(pause.to))"></i>
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
