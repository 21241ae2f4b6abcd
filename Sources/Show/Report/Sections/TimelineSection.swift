import CaseStore
import GRDB

/// An alert, and where it belongs.
struct LaneAlert {
  let mark: AlertMark
  let regions: [Int64]
  /// Whose radio it is about; nil: nobody's.
  let observer: Int64?
}

/// The region timeline: lanes over one time axis.
struct TimelineSection {
  let contents: Contents
  let lanes: [Lane]
  let alerts: [LaneAlert]
  let stays: [RangedMoments.Pair: LaneStays]

  init(_ contents: Contents, _ database: Database) throws {
    self.contents = contents
    lanes = try Lane.all(
      database, contents.presences, contents.scale?.pieces ?? [], deaf: contents.deaf,
      alerted: contents.alertRegions.all)
    alerts = try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM (
          SELECT events.id, time_ns, severity, alerts.title, observer_id, event, alerts.id AS number
          FROM alerts JOIN events ON events.id = event_id WHERE time_ns IS NOT NULL
          ORDER BY alerts.id LIMIT \(Most.alerts))
        ORDER BY time_ns, number
        """
    ).enumerated().map { number, row in
      LaneAlert(
        mark: AlertMark(
          number: number, event: row[0], id: row[5], time: row[1], severity: row[2], title: row[3],
          at: contents.at(row[4])),
        regions: contents.alertRegions[row[0]], observer: row[4])
    }
    let main = contents.profiles.first?.id
    stays = try LaneStays.all(database, of: lanes, profile: main ?? 1)
  }

  var html: HTMLText {
    guard let scale = contents.scale else {
      return Section.html(
        "timeline", "Timeline", "<p>No record has a time, so there is no time line.</p>")
    }
    guard !lanes.isEmpty else {
      return Section.html(
        "timeline", "Timeline", "<p>No region was followed.</p>\(alertLane(scale, number: 0))")
    }
    let profile = contents.profiles.first?.name ?? ""
    let others = contents.profiles.dropFirst().map(\.name)
    let compared: HTMLText =
      others.isEmpty
      ? "" : " Visits by \(Words.list(others)) stand in the table of visits."
    return Section.html(
      "timeline", "Timeline",
      """
      <p class="lead">What held in each region, by profile \(profile); inside lasts to the exit, its exit period \
      included.\(compared) <span class="needs-js">Drag to \
      look at a part, double-click for the whole; or use the arrow keys, <kbd>+</kbd>, <kbd>−</kbd> and \
      <kbd>0</kbd>.</span></p>
      \(Self.legend(scale))\(leftOut)
      <div class="lanes timed-group" id="lanes" tabindex="0" role="group" aria-label="Region timeline. \
      Arrow keys move, plus and minus zoom, zero shows the whole.">
      \(alertLane(scale, number: lanes.count))\(rows(scale))\(scale.axis)</div>
      """)
  }

  /// In the order of `lanes`.
  private func charts(_ scale: TimeScale) -> [LaneChart] {
    lanes.enumerated().map { place, lane in
      let isFirst = place == 0 || lanes[place - 1].region != lane.region
      return LaneChart(
        lane: lane,
        presence: contents.presences.first {
          $0.region == lane.region && $0.observer == lane.observer
        },
        stays: stays[RangedMoments.Pair(region: lane.region, observer: lane.observer)]
          ?? LaneStays(),
        alerts: alerts(of: lane, isFirst: isFirst), scale: scale,
        recordedUntil: contents.ends.early(lane.observer))
    }
  }

  private func rows(_ scale: TimeScale) -> HTMLText {
    let isOne = contents.receivers.count < 2
    var before: Int64?
    return charts(scale).enumerated().map { number, chart -> HTMLText in
      let lane = chart.lane
      let name: HTMLText =
        before == lane.region ? "" : "<b>\(contents.region(lane.region))</b>"
      before = lane.region
      return chart.html(
        name: isOne ? name : "\(name)<span>\(contents.observer(lane.observer))</span>",
        spoken: contents.region(lane.region)
          + (isOne ? "" : " at \(contents.observer(lane.observer))"),
        number: number)
    }.joined()
  }

  /// All marks, for the script: where they lie too near each other for one range of time, they do not for
  /// another. `{"alerts":[…],"lanes":[{"alerts":[place in alerts,…],…},…]}`
  var marks: ScriptData {
    var data = ScriptData()
    data.object { data in
      data.key("alerts")
      data.array { data in
        if let scale = contents.scale { for alert in alerts { alert.mark.data(&data, scale) } }
      }
      data.key("lanes")
      data.array { data in
        guard let scale = contents.scale else { return }
        for chart in charts(scale) { lane(&data, chart.alerts, StayMarks(chart.stays, scale)) }
        lane(&data, looseAlerts, StayMarks(LaneStays(), scale))
      }
    }
    return data
  }

  private func lane(_ data: inout ScriptData, _ alerts: [AlertMark], _ stays: StayMarks) {
    data.object { data in
      data.key("alerts")
      data.array { data in for alert in alerts { data.number(alert.number) } }
      stays.data(&data)
    }
  }

  /// An alert stands in the lane of its receiver; where that has none of the region, or it is about no
  /// receiver, in the region's first one.
  private func alerts(of lane: Lane, isFirst: Bool) -> [AlertMark] {
    let others = Set(lanes.filter { $0.region == lane.region }.map(\.observer))
    return alerts.filter { alert in
      guard alert.regions.contains(lane.region) else { return false }
      if let observer = alert.observer, others.contains(observer) {
        return observer == lane.observer
      }
      return isFirst
    }.map(\.mark)
  }

  /// Alerts that are about no region with a lane of its own.
  private var looseAlerts: [AlertMark] {
    let shown = Set(lanes.map(\.region))
    return alerts.filter { shown.isDisjoint(with: $0.regions) }.map(\.mark)
  }

  private func alertLane(_ scale: TimeScale, number: Int) -> HTMLText {
    let loose = looseAlerts
    guard !loose.isEmpty else { return "" }
    return """
      <div class="lane"><div class="lane-name"><b>Alerts</b><small>that name no region</small></div>
      <div class="field" data-lane="\(number)"><svg class="timed" viewBox="0 0 1000000 34" preserveAspectRatio="none" role="img" \
      aria-label="\(Words.counted(loose.count, "alert")) without a region."></svg>\(scale.cuts)\
      \(AlertMark.html(loose, scale))</div></div>
      """
  }

  private static func legend(_ scale: TimeScale) -> HTMLText {
    """
    <ul class="legend" aria-label="How states are drawn">
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="inside" d="M0 14h30"/></svg>inside</li>
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="inside" d="M0 14h30"/><path class="gaps" d="M0 14h30"/><path class="deaf" d="M0 14h30"/></svg>inside as last known, while the receiver was deaf</li>
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="outside" d="M0 25h30"/></svg>outside</li>
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="deaf" d="M0 14h30"/></svg>receiver deaf: who came or left is not known</li>
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="unknown" d="M0 14h30"/></svg>not known</li>
    <li><svg viewBox="0 0 30 28" aria-hidden="true"><path class="enter" d="M8 1v26"/><path class="exit" d="M22 4v20"/></svg>stay begins, ends</li>
    <li><i class="strokes-sample" aria-hidden="true">×9</i>as many, too near each other to be drawn</li>
    <li><i class="alert-sample" aria-hidden="true"></i>alert</li>
    <li><i class="alert-count" aria-hidden="true">9</i>as many alerts</li>\(scale.cuts == "" ? "" : leftOut(scale))
    </ul>
    """
  }

  private static func leftOut(_ scale: TimeScale) -> HTMLText {
    let what: HTMLText = scale.mayHaveSteps ? "no record, left out" : "nothing recorded, left out"
    return """

      <li><i class="cut-sample" aria-hidden="true"></i>\(what)</li>
      """
  }

  private var leftOut: HTMLText {
    var notes: [HTMLText] = []
    let count = contents.presences.count
    if count > lanes.count {
      notes.append(
        """
        \(Words.counted(count - lanes.count, "more lane")) not drawn: those with alerts come first, then \
        those with exits that are not proved, then those with visits. All of them: \
        \(CaseQuery.html("SELECT * FROM spans WHERE region_id = 1")).
        """)
    }
    if lanes.contains(where: \.isSimplified) {
      notes.append(
        "Lanes with very many changes are drawn in pieces: each has as much of every state as there "
          + "was, one behind the other. The table <code>spans</code> of the case has all of them.")
    }
    if stays.values.contains(where: \.isCut) {
      notes.append(
        "Strokes, or their number, stand at the first \(Words.number(Most.spansOfLane)) stays of a lane, letters at its "
          + "first \(Words.number(Most.marks)) doubtful exits. The table <code>stays</code> of the case "
          + "has all of them.")
    }
    return notes.map { "<p class=\"note\">\($0)</p>" }.joined()
  }
}
