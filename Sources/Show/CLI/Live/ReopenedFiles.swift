import Analysis
import Deliveries
import Exports

/// Says which files of alerts SIGHUP was to open anew and could not, while what was open before is written on, and
/// that they are. They are tried again meanwhile.
struct ReopenedFiles {
  private struct File {
    let name: String
    let problem: () -> String?
    let reopen: () -> Void
    var told: String?
  }

  private var files: [File]
  private var pace = PacketRate.Pace(every: .seconds(5))

  init(_ outputs: LiveSession.Outputs) {
    files = outputs.deliveries.map { delivery in
      File(
        name: delivery.name, problem: { delivery.counts.notReopened },
        reopen: { delivery.reopen() })
    }
    guard let kept = outputs.undelivered else { return }
    files.append(
      File(
        name: "file \(kept.path)", problem: { kept.notReopened }, reopen: { kept.reopen() }))
  }

  /// What keeps them from being opened anew now, a sentence each without its end.
  var problems: [String] { files.compactMap { $0.problem() } }

  /// To be called some times a second.
  /// - Returns: what there is to say now.
  mutating func next() -> [(text: String, severity: Alert.Severity)] {
    let isDue = pace.isDue()
    var remarks: [(text: String, severity: Alert.Severity)] = []
    for place in files.indices {
      let problem = files[place].problem()
      if problem != nil, isDue { files[place].reopen() }
      guard problem != files[place].told else { continue }
      if let problem {
        remarks.append(
          (
            "\(TextColumns.printable(problem)). What comes goes into the file that had this name before; it is "
              + "tried again every few seconds.", .warning
          ))
      } else {
        let name = TextColumns.printable(files[place].name)
        remarks.append(("\(name): opened anew; what comes goes there.", .notice))
      }
      files[place].told = problem
    }
    return remarks
  }
}
