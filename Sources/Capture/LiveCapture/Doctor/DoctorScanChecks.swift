/// Of the scan the kernel tells nothing: what passes by in a moment shows it, or does not.
extension DoctorChecks {
  var scanning: Check {
    guard let controller = facts.controller else {
      return untold(.scanning, "a controller is there")
    }
    guard controller.isUp else {
      return Check(.scanning, .no, "\(controller.name) is down: it does not scan.")
    }
    guard let seen = facts.observation else { return unheard(.scanning) }
    let remedies = [Remedies.scan(controller.name)]
    if seen.isEnabled == false {
      return Check(
        .scanning, .no, "Its scan was switched off a moment ago.\(whoElse)", remedies: remedies)
    }
    if seen.reports == 0 && seen.isEnabled == nil {
      return Check(
        .scanning, .unknown,
        "Cannot be told: no report came within \(moment). It is not scanning, or nobody "
          + "advertises here.\(whoElse)", remedies: remedies)
    }
    let reports =
      switch seen.reports {
      case 0: "Switched on a moment ago, no report yet"
      case 1: "1 report within \(moment)"
      default: "\(seen.reports) reports within \(moment)"
      }
    return Check(.scanning, .yes, "\(reports); \(parameters(seen)).\(whoElse)")
  }

  var duplicates: Check {
    guard let controller = facts.controller, controller.isUp else {
      return untold(.duplicates, "a controller is up")
    }
    guard let seen = facts.observation else { return unheard(.duplicates) }
    if seen.filtersDuplicates == true {
      return Check(
        .duplicates, .no, "The scan filters duplicates: most advertisements are not reported.",
        remedies: [
          "End that scan (bluetoothctl scan off), then: \(Remedies.scan(controller.name))"
        ])
    }
    if seen.filtersDuplicates == false {
      return Check(.duplicates, .yes, "The scan was started without a filter of duplicates.")
    }
    if seen.repeated > 0 {
      let times = seen.repeated == 1 ? "once" : "\(seen.repeated) times"
      return Check(.duplicates, .yes, "Not filtered: the same reports came again, \(times).")
    }
    if seen.reports == 0 {
      return Check(.duplicates, .unknown, "Cannot be told while no report comes.")
    }
    return Check(
      .duplicates, .unknown,
      "Cannot be told: no report came twice within \(moment). They are filtered, or nobody "
        + "advertised twice.", remedies: [Remedies.scan(controller.name)])
  }

  private func parameters(_ seen: ScanObservation) -> String {
    if let told = seen.parameters {
      let window = ScanSettings.milliseconds(told.window)
      let interval = ScanSettings.milliseconds(told.interval)
      return "\(told.isActive ? "active" : "passive"), \(window) of every \(interval)"
    }
    return seen.scanResponses > 0
      ? "active, as scan responses came; interval and window were set before and cannot be told"
      : "whether active, interval and window were set before and cannot be told"
  }

  private func unheard(_ name: Check.Name) -> Check {
    facts.monitorProblem == nil
      ? Check(name, .unknown, "Cannot be told without listening for a moment.")
      : Check(name, .unknown, "Cannot be told without permission to listen.")
  }

  /// Such as `1.5 s`.
  private var moment: String {
    let time = facts.observation?.listenedMilliseconds ?? 0
    let tenths = (time + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  /// Those who may hold the scan.
  private var whoElse: String {
    let holders = facts.observation?.holders ?? []
    let exclusive = holders.first { $0.use == .exclusive }
    if let exclusive { return " \(exclusive.program) has the controller for itself." }
    if let daemon = facts.daemons.first {
      return " bluetoothd runs (process \(daemon)) and may hold the scan."
    }
    var names: [String] = []
    for holder in holders where !names.contains(holder.program) { names.append(holder.program) }
    return names.isEmpty ? "" : " Bluetooth is also open in \(names.joined(separator: ", "))."
  }
}
