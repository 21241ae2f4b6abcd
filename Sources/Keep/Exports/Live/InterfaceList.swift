package import LiveCapture

/// The interfaces that there are to capture on.
package enum InterfaceList {
  /// - Parameter width: columns of the terminal; nil: no limit.
  package static func lines(_ interfaces: [CaptureInterfaceState], width: Int?) -> [String] {
    guard !interfaces.isEmpty else {
      return [
        "There is no interface of Bluetooth: libpcap on this machine knows of none.",
        "See   beacontrace doctor",
      ]
    }
    let column = interfaces.map { TextColumns.printable($0.name).columns }.max() ?? 0
    return interfaces.flatMap { interface in
      let name = TextColumns.left(TextColumns.printable(interface.name), column)
      let standing = interface.canOpen ? "can be opened" : "cannot be opened"
      var words = ["\(TextColumns.printable(interface.description)), \(standing)"]
      if let problem = interface.problem {
        words += [problem.what] + problem.remedy.split(separator: "\n").map(String.init)
      }
      let indent = column + 2
      let lines = words.flatMap {
        TextFit.wrap($0, indent: indent, hanging: 2, width: width ?? .max)
      }
      return ["\(name)  \(lines[0].dropFirst(indent))"] + lines.dropFirst()
    }
  }

  /// `{"interfaces":[{"name":…,"description":…,"link_type":…,"can_open":…,"problem":…,"remedy":…}]}`
  package static func writeJSON(
    _ interfaces: [CaptureInterfaceState], to output: some TextOutput
  ) throws {
    var text = ByteText()
    text.text("{\"interfaces\":[")
    for (place, interface) in interfaces.enumerated() {
      text.text(place == 0 ? "\n" : ",\n")
      text.text("{\"name\":")
      text.jsonString(interface.name)
      text.text(",\"description\":")
      text.jsonString(interface.description)
      text.text(",\"link_type\":")
      text.int(Int(interface.linkType))
      text.text(interface.canOpen ? ",\"can_open\":true" : ",\"can_open\":false")
      text.text(",\"problem\":")
      string(interface.problem?.what, &text)
      text.text(",\"remedy\":")
      string(interface.problem?.remedy, &text)
      text.text("}")
    }
    text.text("]}\n")
    var output: any TextOutput = output
    try text.flush(to: &output)
  }

  private static func string(_ value: String?, _ text: inout ByteText) {
    guard let value, !value.isEmpty else { return text.text("null") }
    text.jsonString(value)
  }
}
