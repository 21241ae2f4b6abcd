/// What is fuzzed: takes any bytes and says what is wrong with what comes of them.
package struct FuzzTarget: Sendable {
  package let name: String
  /// First inputs.
  package let seeds: @Sendable () -> [[UInt8]]
  /// Everything that is wrong; empty where all is well.
  package let faults: @Sendable ([UInt8]) -> [String]

  package static let all = [
    ContainerTarget.target, RecordsTarget.target, HCITarget.target, BeaconsTarget.target,
    AnalyzeTarget.target, TextsTarget.target, PluginsTarget.target,
    BoardTarget.target, ShareTarget.target,
  ]
}
