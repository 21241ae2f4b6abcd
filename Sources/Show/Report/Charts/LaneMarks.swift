/// Marks of a lane that lie too near each other to be told apart: one stands for all of them, with their number.
/// The script makes them anew for each range of time by the same rule (`marks.js`), and on narrower screens.
enum MarkGroups {
  /// Steps of a pixel where the whole is shown on a usual screen.
  private static let pixel = TimeScale.width / 920
  /// Pixels that a mark takes.
  static let (alert, doubt, strokes) = (26, 72, 28)
  /// So many strokes in that width are still told apart.
  static let fewStrokes = 7

  /// - Parameter places: ascending.
  static func of(_ places: [Int], reach pixels: Int) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for (number, place) in places.enumerated() {
      if let last = groups.last, place - places[last.lowerBound] < pixels * pixel {
        groups[groups.count - 1] = last.lowerBound..<(number + 1)
      } else {
        groups.append(number..<(number + 1))
      }
    }
    return groups
  }

  /// `8 warning, 4 info`, in order of how often.
  static func kinds(_ words: [String]) -> String {
    Dictionary(grouping: words) { $0 }.sorted {
      ($1.value.count, $0.key) < ($0.value.count, $1.key)
    }
    .map { "\(Words.number($0.value.count)) \($0.key)" }.joined(separator: ", ")
  }
}

/// An alert on a time line; it opens its evidence.
struct AlertMark: Sendable {
  /// Among all that have a mark.
  let number: Int
  let event: Int64
  /// The event's, of 16 digits.
  let id: String
  let time: Int64
  let severity: String
  let title: String
  /// ` at hall`, where there are several receivers.
  var at = ""

  /// - Parameter alerts: by their time.
  static func html(_ alerts: [AlertMark], _ scale: TimeScale) -> HTMLText {
    let places = alerts.map { scale.place($0.time) }
    return MarkGroups.of(places, reach: MarkGroups.alert).map { group in
      html(alerts[group], scale)
    }.joined()
  }

  private static func html(_ group: ArraySlice<AlertMark>, _ scale: TimeScale) -> HTMLText {
    guard let alert = group.first, let last = group.last else { return "" }
    guard group.count > 1 else {
      return """
        <button class="alert-mark" data-event="\(alert.event)" data-id="\(alert.id)" style="--t:\(scale.share(alert.time))" \
        title="\(alert.severity): \(alert.title)\(alert.at)" \
        aria-label="\(alert.severity) at \(scale.clock(alert.time)): \(alert.title)\(alert.at)"></button>
        """
    }
    let words =
      "\(Words.number(group.count)) alerts, \(scale.clock(alert.time)) to \(scale.clock(last.time)): "
      + MarkGroups.kinds(group.map(\.severity))
    return """
      <button class="alert-mark many" style="--t:\(scale.share(alert.time))" title="\(words)" aria-label="\(words)">\
      \(Words.number(group.count))</button>
      """
  }

  /// For the script: `[place, row, id, severity, clock, title]`.
  func data(_ data: inout ScriptData, _ scale: TimeScale) {
    data.array { data in
      data.number(scale.place(time))
      data.number(Int(event))
      data.text(id)
      data.text(severity)
      data.text(scale.clock(time))
      data.text(title + at)
    }
  }
}

/// Where stays of a lane begin and end, and letters at exits that are worth less than "gone".
struct StayMarks {
  private struct Stroke {
    let time: Int64
    let place: Int
    let isExit: Bool
  }

  private let strokes: [Stroke]
  private let groups: [Range<Int>]
  private let doubts: [(until: Int64, grade: String)]
  private let scale: TimeScale

  init(_ stays: LaneStays, _ scale: TimeScale) {
    self.scale = scale
    let all = stays.list.flatMap { stay in
      [(stay.since, false)] + (stay.until.map { [($0, true)] } ?? [])
    }
    // At one moment exits come before entries.
    strokes = all.map { Stroke(time: $0.0, place: scale.place($0.0), isExit: $0.1) }.sorted {
      ($0.time, $0.isExit ? 0 : 1) < ($1.time, $1.isExit ? 0 : 1)
    }
    groups = MarkGroups.of(strokes.map(\.place), reach: MarkGroups.strokes)
    doubts = stays.doubts.sorted { ($0.until, $0.grade) < ($1.until, $1.grade) }
  }

  /// However short a stay is, where it begins and ends is seen.
  var paths: HTMLText {
    var (enters, exits) = ("", "")
    for group in groups where group.count <= MarkGroups.fewStrokes {
      for stroke in strokes[group] {
        if stroke.isExit {
          exits += "M\(stroke.place) 10v20"
        } else {
          enters += "M\(stroke.place) 7v26"
        }
      }
    }
    return
      "<path class=\"enter\" d=\"\(HTMLText(path: enters))\"/><path class=\"exit\" d=\"\(HTMLText(path: exits))\"/>"
  }

  private var counted: [Range<Int>] { groups.filter { $0.count > MarkGroups.fewStrokes } }

  /// What stands for strokes that would run together.
  var counts: HTMLText {
    counted.map { group -> HTMLText in
      let (first, last) = (strokes[group.lowerBound], strokes[group.upperBound - 1])
      let ends = strokes[group].count(where: \.isExit)
      let words =
        "\(Words.number(group.count - ends)) begin and \(Words.number(ends)) end, "
        + "\(scale.clock(first.time)) to \(scale.clock(last.time))"
      return """
        <span class="strokes" style="--t:\(scale.share(first.time));--w:\(TimeScale.share(last.place - first.place))" \
        title="\(words)"><b>×\(Words.number(group.count))</b></span>
        """
    }.joined()
  }

  var letters: HTMLText {
    MarkGroups.of(doubts.map { scale.place($0.until) }, reach: MarkGroups.doubt).map {
      letters(doubts[$0])
    }.joined()
  }

  private func letters(_ group: ArraySlice<(until: Int64, grade: String)>) -> HTMLText {
    guard let first = group.first, let last = group.last else { return "" }
    let share = scale.share(first.until)
    guard group.count > 1 else {
      return """
        <span class="doubt" style="--t:\(share)" title="exit at \(scale.clock(first.until)): \(first.grade)">\(first.grade)</span>
        """
    }
    let grades = group.map(\.grade)
    let name = Set(grades).count == 1 ? first.grade : "doubtful"
    let words =
      "\(Words.number(group.count)) exits, \(scale.clock(first.until)) to \(scale.clock(last.until)): "
      + MarkGroups.kinds(grades)
    return """
      <span class="doubt" style="--t:\(share)" title="\(words)">\(name) ×\(Words.number(group.count))</span>
      """
  }

  /// For the script, which has the other strokes from the paths.
  func data(_ data: inout ScriptData) {
    let merged = counted.flatMap { strokes[$0] }
    for (name, isExit) in [("enters", false), ("exits", true)] {
      data.key(name)
      data.array { data in
        for stroke in merged where stroke.isExit == isExit { data.number(stroke.place) }
      }
    }
    data.key("doubts")
    data.array { data in
      for (until, grade) in doubts {
        data.array { data in
          data.number(scale.place(until))
          data.text(grade)
          data.text(scale.clock(until))
        }
      }
    }
  }
}
