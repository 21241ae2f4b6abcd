import FrameEncoder

/// What the host does: it starts its controller, scans, pauses, and stops in the end.
extension Synthesis {
  private static var answer: Int64 { 1_500_000 }
  /// When the controller begins to scan.
  static var firstScan: Int64 { answer - 200_000_000 }
  private static var scanner: Address { Address(0x001A_7DDA_7113, isRandom: false) }

  /// Puts all commands that are known at the start into the outbox. A sniffer needs none.
  mutating func planCommands() {
    guard case .hci = form.reception else { return }
    let second: Int64 = 1_000_000_000
    announce()
    order(HCI.reset, 0x0C03, at: -second * 4 / 10)
    let scan = scenario.scan
    if scan.isExtended {
      order(
        HCI.setExtendedScanParameters(
          active: scan.isActive, interval: scan.interval, window: scan.window), 0x2041,
        at: -second * 3 / 10)
    } else {
      order(
        HCI.setScanParameters(
          active: scan.isActive, interval: scan.interval, window: scan.window), 0x200B,
        at: -second * 3 / 10)
    }
    enable(true, at: Self.firstScan - Self.answer)
    for pause in scan.pauses {
      enable(false, at: pause.lowerBound)
      // It has to listen again when the pause is over.
      enable(true, at: pause.upperBound - Self.answer)
    }
  }

  private mutating func enable(_ on: Bool, at time: Int64) {
    let filters = scenario.scan.filteredFor != nil
    if scenario.scan.isExtended {
      order(
        HCI.setExtendedScanEnable(on, filterDuplicates: on && filters), 0x2042, at: time)
    } else {
      order(HCI.setScanEnable(on, filterDuplicates: on && filters), 0x200C, at: time)
    }
  }

  /// A command, and its Command Complete.
  private mutating func order(_ command: HCIPacket, _ opcode: UInt16, at time: Int64) {
    outbox.put(Piece(time: time, content: .hci(command)))
    outbox.put(
      Piece(time: time + Self.answer, content: .hci(HCI.commandComplete(opcode))))
  }

  /// The kernel's monitor tells of the system and the adapter; other links drop these.
  private mutating func announce() {
    let notes: [(UInt16, UInt16, [UInt8])] = [
      (Monitor.noAdapter, 12, Monitor.systemNote("Linux version 6.1.0-synth (x86_64)")),
      (0, 0, Monitor.newIndex(Self.scanner, name: "hci0")), (0, 8, []),
      (0, 10, Monitor.indexInfo(Self.scanner, manufacturer: 10)),
    ]
    for (number, (adapter, opcode, payload)) in notes.enumerated() {
      outbox.put(
        Piece(
          time: -500_000_000 + Int64(number) * 5_000_000,
          content: .note(adapter: adapter, opcode: opcode, payload)))
    }
  }

  /// A packet's time has come.
  mutating func put(_ piece: Piece, _ receiver: inout Receiver) throws {
    switch piece.content {
    case .hci(let packet): _ = try receiver.put(packet, at: piece.time)
    case .note(let adapter, let opcode, let payload):
      try receiver.note(adapter: adapter, opcode: opcode, payload, at: piece.time)
    case .part(let part, let arrival, let number, let count):
      try receiver.put(
        part, of: arrival, number: number, count: count, at: piece.time, &outbox)
    }
  }

  /// Scanning stops, the adapter goes.
  mutating func end(_ receiver: inout Receiver) throws {
    while outbox.next != nil {
      let piece = outbox.take()
      // Advertisements are finished; a pause that was to come does not come any more.
      if case .part = piece.content { try put(piece, &receiver) }
    }
    guard case .hci = form.reception else { return }
    enable(false, at: scenario.duration + 50_000_000)
    for (number, opcode) in [UInt16(9), 1].enumerated() {
      outbox.put(
        Piece(
          time: scenario.duration + 100_000_000 + Int64(number) * 5_000_000,
          content: .note(adapter: 0, opcode: opcode, [])))
    }
    while outbox.next != nil { try put(outbox.take(), &receiver) }
  }
}
