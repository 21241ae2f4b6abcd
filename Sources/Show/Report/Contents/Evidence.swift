import Foundation
import GRDB

/// What decided each event, as data for the script: it becomes part of the page when it is asked for.
///
/// `{"texts":[…],"frames":[[capture, frame, time, rssi, address, bytes],…],
///   "events":{"ROW":[id, title, [[label, text],…], [[frame or null, words, marks],…], [[cited, row or null],…]]}}`;
/// captures, labels and marks are places in `texts`; titles, texts and words are lists of such places and of
/// text of their own; bytes are base64, and a step without text is the evidence.
struct Evidence {
  private var texts: [String: Int] = [:]
  private var order: [String] = []
  private var frames: [Int64: Int] = [:]
  private var frameData: [ScriptData] = []
  private var events: [Int64: ScriptData] = [:]
  private var bytes = 0
  /// How many events and alerts of the page there are.
  private var listed = (events: 0, alerts: 0)
  /// Of these, how many have their evidence in it.
  private var shown = (events: 0, alerts: 0)

  private let doubtful: Set<Int64>
  private let contents: Contents

  init(_ contents: Contents, _ database: Database) throws {
    self.contents = contents
    let wanted = try EvidenceOrder(contents, database)
    doubtful = wanted.doubtful
    let event = try database.makeStatement(sql: "SELECT id, event, title FROM events WHERE id = ?")
    let steps = try database.makeStatement(
      sql: "SELECT label, text FROM steps WHERE event_id = ? ORDER BY id")
    let evidence = try database.makeStatement(
      sql: """
        SELECT frames.id, evidence.words, marks, captures.name, evidence.number, files.name,
          evidence.capture_id
        FROM evidence
          LEFT JOIN frames ON frames.capture_id = evidence.capture_id AND frame = number
          LEFT JOIN captures ON captures.id = evidence.capture_id
          LEFT JOIN files ON files.id = file_id
        WHERE event_id = ? ORDER BY evidence.id
        """)
    let frame = try database.makeStatement(
      sql: "SELECT capture_id, frame, time_ns, rssi, address, bytes FROM frames WHERE id = ?")
    let cited = try Self.citations(database)
    for id in wanted.all {
      guard bytes < Most.evidence else { break }
      guard let row = try Row.fetchOne(event, arguments: [id]) else { continue }
      var data = ScriptData()
      let stepRows = try Row.fetchAll(steps, arguments: [id])
      let proof = try Row.fetchAll(evidence, arguments: [id])
      for item in proof {
        if let place = item[0] as Int64? { try keep(place, frame) }
      }
      let (event, title): (String, String) = (row[1], row[2])
      data.array { data in
        data.text(event)
        add(title, &data)
        data.array { data in
          for step in stepRows { self.step(step, &data) }
        }
        data.array { data in
          for item in proof { self.proof(item, &data) }
        }
        data.array { data in
          for cited in cited[id] ?? [] {
            data.array { data in
              data.text(cited.event)
              data.number(cited.row.map { Int($0) })
            }
          }
        }
      }
      bytes += data.json.utf8.count + 16
      events[id] = data
    }
    let has = Set(events.keys)
    listed = (wanted.events.count, wanted.alerts.count)
    shown = (wanted.events.count { has.contains($0) }, wanted.alerts.count { has.contains($0) })
  }

  /// Whether an exit proves little, or an entry is not proved.
  func isDoubtful(_ event: Int64) -> Bool { doubtful.contains(event) }

  /// Whether the page has what decided an event.
  func has(_ event: Int64) -> Bool { events[event] != nil }

  /// How much of it the page has; a sentence.
  var extent: HTMLText {
    if shown == listed {
      return """
        This page has what decided \(Self.all(listed.events, "event"))\
        \(listed.alerts > 0 ? " and \(Self.all(listed.alerts, "alert"))" : "") listed: the steps, the frames, their bytes.
        """
    }
    return """
      This page has what decided \(Words.number(shown.events)) of the \(Words.counted(listed.events, "event"))\
      \(listed.alerts > 0 ? " and \(Words.number(shown.alerts)) of the \(Words.counted(listed.alerts, "alert"))" : "") \
      listed: of alerts first, then of exits and entries that are doubtful, then of the others by their time. \
      More would make it too large; the ids of the rest stand with “not in this page”.
      """
  }

  private static func all(_ count: Int, _ one: String) -> String {
    count == 1 ? "the one \(one)" : "all \(Words.counted(count, one))"
  }

  /// By the alert's event: what it cites.
  private static func citations(_ database: Database) throws
    -> [Int64: [(event: String, row: Int64?)]]
  {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT alerts.event_id, citations.event,
          (SELECT min(id) FROM events WHERE events.event = citations.event)
        FROM citations JOIN alerts ON alerts.id = alert_id ORDER BY citations.id
        LIMIT \(10 * Most.alerts)
        """)
    return Dictionary(
      grouping: rows, by: { $0[0] as Int64 }
    ).mapValues { $0.map { ($0[1], $0[2]) } }
  }

  private mutating func place(of text: String) -> Int {
    if let place = texts[text] { return place }
    texts[text] = order.count
    order.append(text)
    bytes += text.utf8.count + 3
    return order.count - 1
  }

  /// Most of a text stands in many events: what they share is kept once. Their times are their own.
  private mutating func add(_ text: String, _ data: inout ScriptData) {
    data.array { data in
      for (piece, isShared) in EvidenceText.pieces(text) {
        if isShared { data.number(place(of: piece)) } else { data.text(piece) }
      }
    }
  }

  private mutating func step(_ row: Row, _ data: inout ScriptData) {
    let (label, text): (String, String?) = (row[0], row[1])
    data.array { data in
      data.number(place(of: label))
      if let text {
        add(text, &data)
      } else {
        data.number(nil)
      }
    }
  }

  private mutating func proof(_ row: Row, _ data: inout ScriptData) {
    let (frame, words, marks): (Int64?, String?, String?) = (row[0], row[1], row[2])
    let (capture, number, file): (String?, Int, String?) = (row[3], row[4], row[5])
    data.array { data in
      data.number(frame.flatMap { frames[$0] })
      // Where there are no bytes, at least where they are.
      let at =
        capture.map { "\(contents.shown($0)), frame \(number)" }
        ?? file.map { "\($0), line \(number)" }
      let text = [frame == nil ? at : nil, words].compactMap { $0 }.joined(separator: ": ")
      if text.isEmpty { data.number(nil) } else { add(text, &data) }
      data.array { data in
        for mark in Self.marks(marks) {
          data.array { data in
            data.number(place(of: mark.name))
            data.number(mark.from)
            data.number(mark.count)
          }
        }
      }
    }
  }

  private static func marks(_ json: String?) -> [(name: String, from: Int, count: Int)] {
    guard let json,
      let list = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[Any]]
    else { return [] }
    return list.compactMap { mark in
      guard mark.count == 3, let name = mark[0] as? String, let from = mark[1] as? Int,
        let count = mark[2] as? Int
      else { return nil }
      return (name, from, count)
    }
  }

  private mutating func keep(_ id: Int64, _ statement: Statement) throws {
    guard frames[id] == nil, let row = try Row.fetchOne(statement, arguments: [id]) else { return }
    let bytes: Data = row[5]
    var data = ScriptData()
    data.array { data in
      data.number(place(of: contents.capture(row[0])))
      data.number(row[1])
      data.text(Words.moment(row[2]))
      data.number(row[3])
      data.text(row[4])
      data.text(bytes.base64EncodedString())
    }
    frames[id] = frameData.count
    frameData.append(data)
    self.bytes += data.json.utf8.count + 1
  }

  func write(to page: inout PageWriter) throws {
    var texts = ScriptData()
    texts.array { data in for text in order { data.text(text) } }
    try page.add(trusted: "<script type=\"application/json\" id=\"evidence\">{\"texts\":")
    try page.add(texts)
    try page.add(trusted: ",\"frames\":[")
    for (place, frame) in frameData.enumerated() {
      if place > 0 { try page.add(trusted: ",") }
      try page.add(frame)
    }
    try page.add(trusted: "],\"events\":{")
    for (place, event) in events.sorted(by: { $0.key < $1.key }).enumerated() {
      try page.add(trusted: (place > 0 ? "," : "") + "\"\(event.key)\":")
      try page.add(event.value)
    }
    try page.add(trusted: "}}</script>\n")
  }
}
