import Plugins

/// Text of a plugin, as it is checked before it runs.
enum PluginsTarget {
  static let target = FuzzTarget(name: "plugins", seeds: { seeds }) { bytes in
    var faults: [String] = []
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    for file in [PluginCheck.File.plugin, .site, .test] {
      let findings = PluginCheck.findings(in: bytes, file)
      for finding in findings
      where finding.place.line < 1 || finding.place.line > lines || finding.place.column < 1
        || finding.text.isEmpty
      {
        faults.append("a finding beside the text: \(finding)")
      }
      if findings.map(\.place) != findings.map(\.place).sorted() {
        faults.append("findings out of order: \(findings)")
      }
    }
    return faults
  }

  private static var seeds: [[UInt8]] {
    Reference.examples.flatMap { [Array($0.example.plugin.utf8), Array($0.example.test.utf8)] }
  }
}
