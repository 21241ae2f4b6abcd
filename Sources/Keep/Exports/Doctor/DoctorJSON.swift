package import LiveCapture

/// `doctor --format json`; the keys are in FORMATS.md.
package enum DoctorJSON {
  package static func write(_ report: DoctorReport, to output: any TextOutput) throws {
    var json = JSONWriter(output, lineDepth: 2)
    let facts = report.facts
    try json.object { json in
      json.pair("live_capture", report.outcome.rawValue)
      json.pair("controller", facts.controller?.name)
      json.key("checks")
      try json.array { json in
        for check in report.checks { try write(check, &json) }
      }
      json.key("controllers")
      try json.array { json in
        for controller in facts.controllers { try write(controller, &json) }
      }
      json.key("settings")
      try write(facts.settings, &json)
      json.key("rfkill")
      try write(facts.switches, &json)
      json.key("scan")
      try write(facts.observation, &json)
      json.key("process")
      try write(facts.rights, &json)
      json.key("bluetoothd")
      try json.array { json in for number in facts.daemons { json.int(number) } }
      json.key("holders")
      try json.array { json in
        for holder in facts.observation?.holders ?? [] {
          try json.object { json in
            json.pair("program", holder.program)
            json.pair("use", holder.use.rawValue)
            json.pair("controller", holder.controller.map { "hci\($0)" })
          }
        }
      }
      json.key("libpcap")
      try json.object { json in
        json.pair("version", facts.libraryVersion)
        json.pair("bluetooth_monitor", facts.libraryHasMonitor)
      }
    }
    try json.finish()
  }

  private static func write(_ check: DoctorReport.Check, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.pair("name", check.name.rawValue)
      json.pair("verdict", check.verdict.rawValue)
      json.pair("detail", check.detail)
      json.key("remedies")
      try json.array { json in for remedy in check.remedies { json.string(remedy) } }
    }
  }

  private static func write(_ controller: Controller, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.pair("name", controller.name)
      json.pair("address", controller.address)
      json.pair("bus", controller.bus)
      json.pair("up", controller.isUp)
      json.pair("low_energy", controller.hasLowEnergy)
    }
  }

  private static func write(_ settings: ManagedSettings?, _ json: inout JSONWriter) throws {
    guard let settings else { return json.string(nil) }
    try json.object { json in
      json.pair("powered", settings.isPowered)
      json.pair("low_energy_supported", settings.supportsLowEnergy)
      json.pair("low_energy_on", settings.lowEnergyIsOn)
    }
  }

  private static func write(_ switches: [RfkillSwitch]?, _ json: inout JSONWriter) throws {
    guard let switches else { return json.string(nil) }
    try json.array { json in
      for entry in switches {
        try json.object { json in
          json.pair("name", entry.name)
          json.pair("soft_blocked", entry.isSoftBlocked)
          json.pair("hard_blocked", entry.isHardBlocked)
        }
      }
    }
  }

  private static func write(_ scan: ScanObservation?, _ json: inout JSONWriter) throws {
    guard let scan else { return json.string(nil) }
    try json.object { json in
      json.pair("listened_ms", scan.listenedMilliseconds)
      json.pair("enabled", scan.isEnabled)
      json.pair("active", scan.parameters?.isActive)
      json.pair("interval_ms", scan.parameters.map { Double($0.interval) * 0.625 }, decimals: 3)
      json.pair("window_ms", scan.parameters.map { Double($0.window) * 0.625 }, decimals: 3)
      json.pair("filter_duplicates", scan.filtersDuplicates)
      json.pair("reports", scan.reports)
      json.pair("repeated", scan.repeated)
      json.pair("scan_responses", scan.scanResponses)
    }
  }

  private static func write(_ rights: ProcessRights, _ json: inout JSONWriter) throws {
    try json.object { json in
      json.pair("root", rights.isRoot)
      json.pair("cap_net_raw", rights.effective.hasNetRaw)
      json.pair("cap_net_admin", rights.effective.hasNetAdmin)
      json.pair("no_new_privs", rights.takesNoNewRights)
      json.pair("program", rights.program)
      json.pair("program_cap_net_raw", rights.ofProgram?.hasNetRaw ?? false)
    }
  }
}
