import Analysis
import CaptureReader
import FrameDecoder

/// What observers did, as Lua has it.
struct NoteValues {
  let view: RunView

  /// Nil for what nobody is told.
  func table(_ note: ObserverNote, _ observer: Int, _ capture: UInt32)
    -> (HandledEvent, LuaTable)?
  {
    var table = LuaTable()
    func begin(_ event: HandledEvent) {
      table = self.table(event, note.time, observer, capture, frame: note.frame)
    }
    switch note.kind {
    case .scanOn, .scanOff, .reset, .captureOff, .captureOn, .lost:
      begin(.observer)
      table.set("what", .text(Self.word(note.kind)))
      if note.kind == .scanOn {
        for (name, value) in note.scanLimits.fields { table.set(name, value) }
        table.set("radio_share", note.radioShare.map { .number($0) })
      }
      if note.kind == .lost { table.set("count", .integer(note.packetsLost)) }
      return (.observer, table)
    case .malformed:
      begin(.malformed)
      table.set("reason", .text("\(note.reason.name)"))
      return (.malformed, table)
    case .clock:
      begin(.clock)
      table.set("step_s", .number(Double(note.step) / 1e9))
      return (.clock, table)
    case .tick, .end, .silence, .undecoded, .scanLimits: return nil
    }
  }

  func table(_ turn: RecordingTurn) -> LuaTable {
    var table = table(.observer, turn.time, turn.observer, turn.capture, frame: turn.frame)
    table.set("what", .text(turn.isBeginning ? "recording_on" : "recording_off"))
    return table
  }

  private func table(
    _ event: HandledEvent, _ time: Timestamp, _ observer: Int, _ capture: UInt32, frame: Int
  ) -> LuaTable {
    var table = LuaTable()
    table.set("type", .text(event.rawValue))
    table.set("time", LuaValue(time))
    table.set("observer", .text(view.observers[observer]))
    table.set("capture", .text(view.captures[Int(capture)]))
    table.set("frame", .integer(Int64(frame)))
    return table
  }

  private static func word(_ kind: ObserverNote.Kind) -> String {
    switch kind {
    case .scanOn: "scan_on"
    case .scanOff: "scan_off"
    case .captureOff: "capture_off"
    case .captureOn: "capture_on"
    case .lost: "lost"
    default: "reset"
    }
  }
}

/// The value of an event that a filter's key is about.
enum EventFilterValue {
  private static let ofMessages = ["namespace", "type"]

  static func of(_ key: String, in table: LuaTable) -> LuaValue {
    if ofMessages.contains(key), case .table(let message) = table["message"] { return message[key] }
    // Of an event `id` is the sender's, as of a sighting: nobody knows the event's own beforehand.
    if key != "id", case let own = table[key], !own.isNone { return own }
    if case .table(let sender) = table["transmitter"] { return sender[key] }
    return .none
  }
}
