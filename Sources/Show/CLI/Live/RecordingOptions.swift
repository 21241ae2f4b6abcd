import Analysis
import ArgumentParser
import Regions

/// What of a live run is kept as packets.
struct RecordingOptions: ParsableArguments {
  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp(
      "Record every packet: .pcapng keeps all that is known; .btsnoop, .snoop and .log are btsnoop.",
      valueName: "file"),
    completion: .file(extensions: ["pcapng", "btsnoop"]))
  var file: String?

  @Option(
    name: .customLong("rotate-size"),
    help: ArgumentHelp(
      "Another file after so many bytes: 500k, 100M, 2G. Names then carry the time: site-20260519T100459Z.pcapng.",
      valueName: "size"))
  var rotateSize: ByteSize?

  @Option(
    name: .customLong("rotate-time"),
    help: ArgumentHelp("Another file after so long: 10min, 1h, 24h.", valueName: "span"))
  var rotateTime: TimeSpanOption?

  @Option(
    help: ArgumentHelp(
      "How many files stay where it rotates: the oldest are deleted, those of earlier runs, too; earlier "
        + "where the disk is full.",
      valueName: "number"))
  var keep: Int?

  @Option(
    help: ArgumentHelp(
      "When recorded packets are forced to the disk: never, always, or every so often, 1s at least. "
        + "That is for power cuts: a killed program has written what it showed.",
      valueName: "when"))
  var fsync = SyncOption(argument: "5s")!

  @Flag(help: "Write over a recording that is there.")
  var overwrite = false

  @Option(
    name: .customLong("write-on-alert"),
    help: ArgumentHelp(
      "Record the minutes around each alert: NAME.pcapng becomes NAME-TIME-ID.pcapng, with a comment "
        + "on each packet that the alert cites.",
      valueName: "file"),
    completion: .file(extensions: ["pcapng"]))
  var alertFile: String?

  @Option(
    name: .customLong("write-on-alert-from"),
    help: ArgumentHelp(
      "Only around alerts of this severity and above.", valueName: "severity"))
  var alertsFrom: Alert.Severity?

  @Option(
    help: ArgumentHelp(
      "How long before an alert --write-on-alert begins; 2min without it. What an exit cites is as old as "
        + "the exit period: give more than that.", valueName: "span"))
  var before: TimeSpanOption?

  @Option(
    help: ArgumentHelp(
      "How long after an alert --write-on-alert goes on; 1min without it.", valueName: "span"))
  var after: TimeSpanOption?

  var rotates: Bool { rotateSize != nil || rotateTime != nil }

  var isAny: Bool { file != nil || alertFile != nil }

  func validate() throws {
    if file == nil, rotateSize != nil || rotateTime != nil || keep != nil || overwrite {
      throw ValidationError(
        "--rotate-size, --rotate-time, --keep and --overwrite need --write FILE.")
    }
    if alertFile == nil, before != nil || after != nil || alertsFrom != nil {
      throw ValidationError(
        "--before, --after and --write-on-alert-from need --write-on-alert FILE.")
    }
    if keep != nil, rotateSize == nil, rotateTime == nil {
      throw ValidationError("--keep needs --rotate-size or --rotate-time: one file is not rotated.")
    }
    if let keep, keep < 1 {
      throw ValidationError("--keep \(keep): at least one file has to stay.")
    }
  }
}

/// A span of time as settings write it: 10s, 5min, 2h.
struct TimeSpanOption: ExpressibleByArgument {
  let nanoseconds: Int64

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  init?(argument: String) {
    guard let span = try? SettingText.span(argument, "span"), span > 0 else { return nil }
    nanoseconds = span
  }

  var defaultValueDescription: String {
    if nanoseconds % 1_000_000_000 != 0 { return "\(Double(nanoseconds) / 1e9)s" }
    let seconds = nanoseconds / 1_000_000_000
    return seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
  }
}

/// A number of bytes as options write it.
struct ByteSize: ExpressibleByArgument {
  let bytes: Int64
  private let text: String

  var defaultValueDescription: String { text }

  init?(argument: String) {
    let number = argument.prefix { $0.isNumber || $0 == "." }
    let units: [String: Double] = ["": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12]
    guard let value = Double(number), let unit = units[String(argument.dropFirst(number.count))],
      value * unit >= 1, value * unit <= 1e15
    else { return nil }
    bytes = Int64(value * unit)
    text = argument
  }
}
