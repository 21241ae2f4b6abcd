import Analysis
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Synchronization
import TestSupport

/// A capture that is still being made, by a script.
final class ScriptedBytes: LiveBytes {
  enum Step: Sendable {
    case bytes([UInt8])
    /// Nothing has come; nanoseconds.
    case nothing(until: Int64)
  }

  let name: String
  private let steps: Mutex<[Step]>

  init(_ steps: [Step], name: String) {
    self.name = name
    self.steps = Mutex(steps.reversed())
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> LiveRead {
    steps.withLock { steps in
      switch steps.popLast() {
      case nil: return .ended
      case .nothing(let moment): return .nothing(until: Timestamp(nanoseconds: moment))
      case .bytes(let bytes):
        let count = min(buffer.count, bytes.count)
        unsafe buffer.copyBytes(from: bytes[..<count])
        if count < bytes.count { steps.append(.bytes(Array(bytes[count...]))) }
        return .bytes(count)
      }
    }
  }
}

/// What happens on a few interfaces: the same as a file, and live.
struct LiveScene {
  static let start: Int64 = Recording.start * 1_000_000
  static let millisecond: Int64 = 1_000_000

  private(set) var items: [(time: Int64, item: CaptureItem)] = []
  let interfaces: [PcapngWriter.Interface]

  init(interfaces: Int = 1) {
    self.interfaces = (0..<interfaces).map {
      // HCI H4.
      PcapngWriter.Interface(linkType: 187, name: "hci\($0)", resolution: 9)
    }
  }

  mutating func hear(
    _ data: [UInt8], from address: Address, at milliseconds: Int64, interface: Int = 0,
    rssi: Int8 = -60
  ) {
    let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: rssi))
    let time = Self.start + milliseconds * Self.millisecond
    items.append(
      (time, .packet(Record(time, packet.h4), interface: interface, direction: .controllerToHost)))
  }

  /// An advertiser that is no beacon.
  mutating func other(at milliseconds: Int64, interface: Int = 0) {
    hear([2, 1, 6], from: Address(99, isRandom: true), at: milliseconds, interface: interface)
  }

  mutating func lose(_ count: UInt64, at milliseconds: Int64, interface: Int = 0) {
    let time = Self.start + milliseconds * Self.millisecond
    items.append((time, .lost(count, interface: interface, nanoseconds: time, by: .kernel)))
  }

  mutating func stop(at milliseconds: Int64, interface: Int = 0) {
    let time = Self.start + milliseconds * Self.millisecond
    items.append((time, .off(interface: interface, nanoseconds: time)))
  }

  mutating func goOn(at milliseconds: Int64, interface: Int = 0) {
    let time = Self.start + milliseconds * Self.millisecond
    items.append((time, .on(interface: interface, nanoseconds: time)))
  }

  var file: CaptureSource {
    var stream = PcapngStream(interfaces)
    var bytes = stream.header
    for item in items { stream.append(item.item, to: &bytes) }
    return .bytes(bytes, name: "radio")
  }

  /// The same bytes as they come: nothing comes for a tenth of a second again and again, and packets
  /// come cut anywhere.
  func live(_ random: inout Seeded, silentAfter end: Int64 = 0) -> CaptureSource {
    var stream = PcapngStream(interfaces)
    var steps: [ScriptedBytes.Step] = [.bytes(stream.header)]
    var now = items.first?.time ?? 0
    for (time, item) in items {
      while now + 100 * Self.millisecond < time {
        now += 100 * Self.millisecond
        steps.append(.nothing(until: now))
      }
      now = max(now, time)
      var bytes: [UInt8] = []
      stream.append(item, to: &bytes)
      let cut = random.once(in: 3) ? random.below(bytes.count - 1) + 1 : bytes.count
      steps.append(.bytes(Array(bytes[..<cut])))
      if cut < bytes.count { steps.append(.bytes(Array(bytes[cut...]))) }
    }
    let last = now + end * Self.millisecond
    while now < last {
      now += 100 * Self.millisecond
      steps.append(.nothing(until: now))
    }
    return .live(ScriptedBytes(steps, name: "radio"))
  }
}

/// Writes down what a run tells as it goes on.
final class ListenerLog: RunListener {
  private let lines_ = Mutex<[(event: TimelineEvent, alert: Alert?)]>([])
  private let texts = Mutex<[String]>([])
  private let write: @Sendable (TimelineEvent, Alert?, RunView) -> String

  init(_ write: @escaping @Sendable (TimelineEvent, Alert?, RunView) -> String = { _, _, _ in "" })
  {
    self.write = write
  }

  var events: [TimelineEvent] { lines_.withLock { $0.map(\.event) } }
  var alerts: [Alert] { lines_.withLock { $0.compactMap(\.alert) } }
  /// Events, notes and times, each with the run's clock in seconds.
  var lines: [String] { texts.withLock { $0 } }

  func take(_ event: TimelineEvent, alert: Alert?, _ view: RunView) {
    lines_.withLock { $0.append((event, alert)) }
    texts.withLock { $0.append(write(event, alert, view)) }
  }

  func take(_ note: ObserverNote, observer: Int, capture: UInt32, _ view: RunView) {
    texts.withLock { $0.append("\(note.kind) \(JudgeLog.text(note.time))") }
  }

  func reach(_ time: Timestamp, _ view: RunView) {
    texts.withLock { $0.append("reach \(JudgeLog.text(time))") }
  }
}
