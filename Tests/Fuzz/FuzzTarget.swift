/// What is fuzzed: takes any bytes and says what is wrong with what comes of them.
struct FuzzTarget: Sendable {
  let name: String
  /// Everything that is wrong; empty where all is well.
  let faults: @Sendable ([UInt8]) -> [String]

  static let all = [
    ContainerTarget.target, RecordsTarget.target, HCITarget.target, BeaconsTarget.target,
    AnalyzeTarget.target,
  ]

  /// The one that the command line names.
  static let chosen = all.first { CommandLine.arguments.dropFirst().first == $0.name }
}
