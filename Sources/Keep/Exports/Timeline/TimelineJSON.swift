import Analysis
import CaptureReader
package import Regions

/// `timeline` of `analyze --format json`. The keys are a contract: see FORMATS.md.
extension JSONWriter {
  /// - Parameter names: of the run whose timeline it is.
  mutating func timeline(_ names: EventNames) throws {
    let timeline = names.timeline
    try object { json in
      json.pair("default_regions", timeline.isDefaultRegions)
      json.pair("regions_per", timeline.foundRegions?.rawValue)
      json.key("profiles")
      try json.array { json in
        for outcome in timeline.outcomes { try json.profile(outcome.profile) }
      }
      json.key("observers")
      try json.array { json in for observer in timeline.observers { try json.observer(observer) } }
      json.key("regions")
      try json.array { json in for region in timeline.regions { try json.region(region) } }
      json.key("tracks")
      try json.array { json in for track in timeline.tracks { json.string(track) } }
      json.key("stays")
      try json.array { json in
        let events = StayEvents(timeline)
        for profile in timeline.outcomes.indices {
          for stay in timeline.outcomes[profile].stays {
            try json.stay(stay, profile, events, names)
          }
        }
      }
      json.key("states")
      try json.array { json in
        for outcome in timeline.outcomes { try json.states(outcome, timeline) }
      }
      if timeline.isJudged {
        json.key("plugins")
        try json.array { json in
          for report in timeline.judges { try json.plugin(report) }
        }
        json.key("alerts")
        try json.array { json in
          for event in timeline.events where event.type == .alert && timeline.tells(of: event) {
            json.raw { $0.event(event, names) }
          }
        }
      }
      if timeline.forgotten.events + timeline.forgotten.stays > 0 {
        json.pair("forgotten_events", timeline.forgotten.events)
        json.pair("forgotten_stays", timeline.forgotten.stays)
      }
      json.key("hints")
      try json.array { json in
        for hint in timeline.hints {
          try json.object { json in
            json.pair("code", hint.code)
            json.pair("text", hint.text)
          }
        }
      }
      json.key("warnings")
      try json.array { json in
        for warning in timeline.problems + timeline.warnings { json.string(warning) }
      }
    }
  }

  private mutating func plugin(_ report: JudgeReport) throws {
    try object { json in
      json.pair("plugin", report.rule.plugin)
      json.pair("version", report.rule.version)
      json.pair("sha256", report.rule.sha256)
      json.pair("alerts", report.alerts)
      json.pair("held_back", report.heldBack)
      json.key("errors")
      try json.object { json in
        for error in report.errors { json.pair(error.limit, error.count) }
      }
      json.pair("switched_off", report.isSwitchedOff)
      json.pair("switched_off_at", report.switchedOff)
      json.pair("skipped_timers", report.skippedTimers)
    }
  }

  private mutating func profile(_ profile: Profile) throws {
    try object { json in
      json.pair("name", profile.name)
      json.numbers(profile)
    }
  }

  /// A profile's numbers by name.
  package mutating func numbers(_ profile: Profile) {
    for (name, value) in profile.numbers {
      key(name + SettingUnit.suffix(name))
      raw { $0.setting(value) }
    }
  }

  private mutating func observer(_ observer: Timeline.Observer) throws {
    try object { json in
      json.pair("name", observer.name)
      json.pair("from", observer.start)
      json.pair("to", observer.end)
      try json.spans("deaf", observer.deaf)
      let unrecorded = observer.unrecorded
      if !unrecorded.isEmpty { try json.spans("unrecorded", unrecorded) }
    }
  }

  private mutating func spans(_ name: String, _ spans: [Timeline.Span]) throws {
    key(name)
    try array { json in
      for span in spans {
        try json.object { json in
          json.pair("from", span.from)
          json.pair("to", span.to)
        }
      }
    }
  }

  private mutating func region(_ region: Region) throws {
    try object { json in
      json.pair("identifier", region.identifier)
      let condition = RegionKinds.text(region.condition)
      json.pair("condition", condition)
      json.pair("definition", region.text(condition))
    }
  }

  private mutating func stay(
    _ stay: Timeline.Stay, _ profile: Int, _ events: StayEvents, _ names: EventNames
  ) throws {
    let visit = stay.visit
    let observer = names.timeline.observers[Int(visit.observer)]
    let isCircle = names.timeline.regions[Int(visit.region)].isCircle
    try object { json in
      json.pair("profile", names.timeline.outcomes[profile].profile.name)
      json.pair("observer", observer.name)
      json.pair("region", names.timeline.regions[Int(visit.region)].identifier)
      json.pair("since", visit.since)
      json.pair(
        "entry_event", events.entry(of: visit, profile: profile).map(EventReference.text))
      json.pair("already_inside", visit.wasInsideAlready)
      if let doubt = stay.doubt {
        for field in EventFields.figures(doubt) {
          json.key("\(field.name)")
          json.raw { $0.json(field.value) }
        }
      }
      json.pair("until", visit.until)
      json.pair("exit_event", events.exit(of: visit, profile: profile).map(EventReference.text))
      json.key("duration_s")
      json.raw { $0.json(.seconds(visit.duration(recordedUntil: observer.end))) }
      if !isCircle {
        json.pair("last_seen", visit.lastSeen)
        json.pair("sightings", visit.sightings)
        let areStamped = visit.stamps != nil
        try json.reference("first", visit.first, names, isStamped: areStamped)
        try json.reference("last", visit.last, names, isStamped: areStamped)
      }
      if let silence = visit.silence {
        for field in EventFields.figures(silence) + EventFields.pause(silence) {
          json.key("\(field.name)")
          json.raw { $0.json(field.value) }
        }
      }
      if let nearest = stay.nearest { try json.nearest(nearest, names) }
    }
  }

  private mutating func reference(
    _ name: String, _ reference: SightingReference, _ names: EventNames, isStamped: Bool
  ) throws {
    key(name)
    guard !reference.isNone else { return string(nil) }
    try object { json in
      json.pair("capture", names.captures[Int(reference.capture)])
      json.pair("frame", reference.frame)
      if isStamped { json.pair("stamped", reference.time) }
    }
  }

  private mutating func nearest(_ nearest: NearestApproach, _ names: EventNames) throws {
    key("nearest")
    try object { json in
      json.pair("time", nearest.time)
      let metres = nearest.distance
      json.key("accuracy_m")
      json.raw { $0.json(.number(metres.metres, decimals: 2)) }
      if let interval = metres.interval {
        json.key("accuracy_min_m")
        json.raw { $0.json(.number(interval.lowerBound, decimals: 2)) }
        json.key("accuracy_max_m")
        json.raw { $0.json(.number(interval.upperBound, decimals: 2)) }
      }
      json.key("transmitter")
      json.raw { text in
        text.text("{")
        text.sender(names.sender(Int(nearest.transmitter)))
        text.text("}")
      }
    }
  }

  private mutating func states(_ outcome: Timeline.Outcome, _ timeline: Timeline) throws {
    for (observer, states) in outcome.states.enumerated() {
      // Nothing is known of the others.
      for (region, state) in states.enumerated() where state != .unknown {
        try object { json in
          json.pair("profile", outcome.profile.name)
          json.pair("observer", timeline.observers[observer].name)
          json.pair("region", timeline.regions[region].identifier)
          json.pair("state", state.rawValue)
        }
      }
    }
  }
}

extension ByteText {
  /// A setting's value as JSON: yes and no, none, numbers, words.
  fileprivate mutating func setting(_ value: String) {
    switch value {
    case "yes": text("true")
    case "no": text("false")
    case "none": text("null")
    default:
      // Settings write numbers as JSON does.
      if Double(value) != nil { text(of: value) } else { jsonString(value) }
    }
  }
}
