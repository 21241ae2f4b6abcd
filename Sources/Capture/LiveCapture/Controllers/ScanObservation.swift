package import CaptureReader

/// What a short time at the monitor shows of a controller's scan. The kernel tells nobody whether a
/// controller scans; what passes by shows it.
package struct ScanObservation: Equatable, Sendable {
  /// What was told to the controller while we listened.
  package struct Parameters: Equatable, Sendable {
    package var isActive: Bool
    /// In units of 0.625 ms.
    package var interval: UInt16
    package var window: UInt16
  }

  package private(set) var controller: UInt16
  package var listenedMilliseconds = 0
  /// Nil: none were set meanwhile.
  package private(set) var parameters: Parameters?
  /// As the last command has it that the controller took; nil: there was none.
  package private(set) var isEnabled: Bool?
  /// The same of its filter of duplicates.
  package private(set) var filtersDuplicates: Bool?
  package private(set) var reports = 0
  /// Reports that had come before, the same to the byte but for their RSSI: nothing filters them.
  package private(set) var repeated = 0
  /// Answers to questions that only an active scan asks.
  package private(set) var scanResponses = 0
  /// Who had Bluetooth sockets open.
  package private(set) var holders: [SocketHolder] = []

  /// Commands that have no answer yet, by opcode.
  private var asked: [UInt16: [UInt8]] = [:]
  private var seen: Set<[UInt8]> = []
  /// More different reports than this in a moment are not remembered.
  private static let mostSeen = 4_096

  package init(controller: UInt16) { self.controller = controller }

  package mutating func take(_ message: MonitorMessage) {
    switch message {
    case .command(let from, let opcode, let parameters) where from == controller:
      asked[opcode] = parameters
    case .event(let from, let code, let parameters) where from == controller:
      if let answer = CommandAnswer(event: code, parameters: parameters) {
        take(answer)
      } else if code == 0x3E {
        takeReports(parameters)
      }
    case .restart(let which) where which == controller: change(isEnabled: nil, filters: nil)
    case .opened(let holder): if !holders.contains(holder) { holders.append(holder) }
    default: break
    }
  }

  private mutating func take(_ answer: CommandAnswer) {
    if answer.opcode == HCICommand.reset {
      parameters = nil
      return change(isEnabled: false, filters: nil)
    }
    guard answer.status == CommandAnswer.success,
      let told = asked.removeValue(forKey: answer.opcode)
    else { return }
    switch answer.opcode {
    case HCICommand.setScanParameters: setParameters(told, at: 0)
    case HCICommand.setExtendedScanParameters: setParameters(told, at: 3)
    case HCICommand.setScanEnable, HCICommand.setExtendedScanEnable:
      guard let on = told.byte(at: 0), let filters = told.byte(at: 1) else { return }
      change(isEnabled: on != 0, filters: on != 0 ? filters != 0 : nil)
    default: return
    }
  }

  private mutating func setParameters(_ told: [UInt8], at place: Int) {
    guard let mode = told.byte(at: place), let interval = told.word(at: place + 1),
      let window = told.word(at: place + 3)
    else { return }
    parameters = Parameters(isActive: mode & 1 != 0, interval: interval, window: window)
  }

  /// What came before says nothing of what comes now.
  private mutating func change(isEnabled: Bool?, filters: Bool?) {
    self.isEnabled = isEnabled
    filtersDuplicates = filters
    seen.removeAll(keepingCapacity: true)
    repeated = 0
  }

  private mutating func takeReports(_ event: [UInt8]) {
    guard let kind = event.byte(at: 0), let count = event.byte(at: 1), kind == 0x02 || kind == 0x0D
    else { return }
    var place = 2
    for _ in 0..<count {
      let dataAt = place + (kind == 0x02 ? 8 : 23)
      guard let length = event.byte(at: dataAt),
        let data = event.bytes(at: dataAt + 1, count: Int(length)),
        let sender = event.bytes(at: place, count: kind == 0x02 ? 8 : 9)
      else { return }
      let isResponse = kind == 0x02 ? event[place] == 4 : event[place] & 0x08 != 0
      take(sender + data, isResponse: isResponse)
      place = dataAt + 1 + Int(length) + (kind == 0x02 ? 1 : 0)
    }
  }

  private mutating func take(_ report: [UInt8], isResponse: Bool) {
    reports += 1
    if isResponse { scanResponses += 1 }
    if seen.contains(report) {
      repeated += 1
    } else if seen.count < Self.mostSeen {
      seen.insert(report)
    }
  }

  /// Listens; needs CAP_NET_RAW.
  package static func listen(
    to controller: UInt16, forMilliseconds time: Int
  ) throws(SystemError) -> ScanObservation {
    let socket = try HCISocket(.monitor)
    var observation = ScanObservation(controller: controller)
    // The kernel first tells what is there already: that is no restart.
    var isHistory = true
    try socket.receive(forMilliseconds: time) { bytes in
      let message = MonitorMessage(bytes)
      switch message {
      case .restart where isHistory: break
      case .command, .event: isHistory = false; observation.take(message)
      default: observation.take(message)
      }
      return true
    }
    observation.listenedMilliseconds = time
    return observation
  }
}
