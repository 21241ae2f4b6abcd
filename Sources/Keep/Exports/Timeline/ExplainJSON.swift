import Beacons

/// `explain --format json`; the keys are in FORMATS.md.
package enum ExplainJSON {
  package static func write(_ explanation: Explanation, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    try json.object { json in
      json.pair("event", EventReference.text(explanation.id))
      json.pair("title", explanation.title)
      json.key("steps")
      try json.array { json in
        for step in explanation.steps {
          try json.object { json in
            json.pair("label", step.label)
            json.pair("text", step.text)
          }
        }
      }
      json.key("evidence")
      try json.array { json in for proof in explanation.proofs { try write(proof, &json) } }
      json.key("clocks")
      try json.array { json in for clock in explanation.clocks { json.string(clock) } }
      json.key("captures")
      try json.array { json in for capture in explanation.captures { try write(capture, &json) } }
    }
    try json.finish()
  }

  private static func write(_ proof: Explanation.Proof, _ json: inout JSONWriter) throws {
    try json.object { json in
      switch proof.place {
      case .line:
        json.pair("file", proof.file)
        json.pair("line", proof.number)
      case .frame:
        json.pair("capture", proof.file)
        json.pair("frame", proof.number)
        json.pair("words", proof.words)
        json.pair("bytes", proof.bytes.map { HexText.string($0.bytes) })
        json.key("marks")
        try json.array { json in
          for mark in proof.bytes?.marks ?? [] {
            try json.object { json in
              json.pair("name", mark.name)
              json.pair("first", mark.range.lowerBound)
              json.pair("count", mark.range.count)
            }
          }
        }
      }
    }
  }

  private static func write(_ capture: ExplainCapture, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.pair("capture", capture.name)
      json.pair("bytes", capture.bytes.map { Int($0) })
      json.pair("sha256", capture.sha256)
      json.pair("tshark", capture.command)
      json.pair("tshark_obstacle", capture.obstacle)
    }
  }
}
