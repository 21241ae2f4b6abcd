import CaptureWriter
import Glibc
import Testing

@testable import LiveCapture

/// Time as the tests have it: a second for each packet asked for, and for each attempt to open.
private final class Hours {
  var clock: Int64 = 0
  var slept: Int64 = 0
  static let second: Int64 = 1_000_000_000
}

/// An interface that does what it is told, step by step, and then has the ring stopped.
private final class Scripted: PacketHandle {
  enum Step {
    case packet(Int64, [UInt8])
    case nothing
    case failed(Int32)
    /// From here on so many are lost.
    case drops(UInt32)
    /// From here on the kernel does not say how many.
    case isSilent(Bool)
    /// The machine sleeps so many seconds.
    case sleep(Int64)
  }

  /// Always readable, so that the loop does not wait.
  var descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
  private var steps: [Step]
  private var isSilent = false
  private var lost: UInt32 = 0
  private let atEnd: () -> Void
  private let hours: Hours

  init(_ steps: [Step], _ hours: Hours = Hours(), atEnd: @escaping () -> Void) {
    self.steps = steps.reversed()
    self.hours = hours
    self.atEnd = atEnd
  }

  deinit { close(descriptor) }

  func drops() -> UInt32? { isSilent ? nil : lost }

  func next(_ body: (CapturedPacket, Span<UInt8>) -> Void) -> PacketOutcome {
    hours.clock += Hours.second
    while let step = steps.popLast() {
      switch step {
      case .packet(let time, let bytes):
        body(CapturedPacket(nanoseconds: time, original: bytes.count), bytes.span)
        return .packet
      case .nothing: return .nothing
      case .failed(let code): return .failed(code)
      case .drops(let count): lost = count
      case .isSilent(let silent): isSilent = silent
      case .sleep(let seconds):
        hours.clock += seconds * Hours.second
        hours.slept += seconds * Hours.second
      }
    }
    atEnd()
    return .nothing
  }
}

@Suite("The capturing thread") struct CaptureLoopTests {
  private static let second = Hours.second

  /// What is in the ring after handles have followed their scripts, one after the other; nil is an
  /// attempt to open that fails.
  private func run(
    _ scripts: [[Scripted.Step]?], isMonitor: Bool = true, ring: RecordRing = RecordRing(),
    downSeconds: Range<Int64> = 0..<0
  ) -> [Passed] {
    var left = scripts
    let hours = Hours()
    func handle() -> Scripted? {
      hours.clock += Self.second
      guard !left.isEmpty else {
        ring.stop()
        return nil
      }
      guard let script = left.removeFirst() else { return nil }
      let isLast = left.isEmpty
      return Scripted(script, hours) { if isLast { ring.stop() } }
    }
    var loop = CaptureLoop(
      handle()!, ring: ring, isMonitor: isMonitor, now: { hours.clock },
      slept: { hours.slept }, reopen: handle)
    loop.patience = (1, 2)
    loop.isDown = { downSeconds.contains(hours.clock / Self.second) }
    loop.run()
    #expect(ring.isClosed)
    return ring.all()
  }

  private func packet(_ time: Int64, _ direction: CaptureItem.Direction = .unknown) -> Passed {
    .packet([0, 0, 0, 0], time, original: 4, direction)
  }
  private func step(_ time: Int64) -> Scripted.Step { .packet(time, [0, 0, 0, 0]) }

  @Test("tells what the kernel lost before the next packet, with the moment it was seen")
  func losses() {
    let found = run([[step(1), .drops(3), .nothing, step(2), .drops(5), .nothing, .nothing]])
    #expect(
      found == [
        packet(1), .lost(3, 2 * Self.second, .kernel), packet(2),
        .lost(2, 4 * Self.second, .kernel),
      ])
  }

  @Test("looks for losses while packets come without a pause")
  func busyLosses() throws {
    let most = CaptureLoop<Scripted>.most
    let many = (1...2 * most).map { step(Int64($0)) }
    let found = run([[.drops(9)] + many])
    #expect(found[..<most] == (1...most).map { packet(Int64($0)) }[...])
    // Not later than those that wait.
    #expect(found[most] == .lost(9, Int64(most), .kernel))
    #expect(found.count == 2 * most + 1)
  }

  @Test("takes nothing for a loss where the kernel does not say how many there are")
  func silentKernel() {
    let found = run([
      [.drops(3), .nothing, .isSilent(true), .nothing, step(2), .isSilent(false), .nothing]
    ])
    #expect(found == [.lost(3, Self.second, .kernel), packet(2)])
  }

  @Test("counts an error once, also where waiting for packets meets it, too")
  func countedOnce() {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    // What is left of it is an error for whoever waits on it.
    close(ends[0])
    let ring = RecordRing()
    let errors = [Scripted.Step](
      repeating: .failed(ENETDOWN), count: CaptureLoop<Scripted>.mostFailures - 1)
    let handle = Scripted(errors + [step(1)]) { ring.stop() }
    close(handle.descriptor)
    handle.descriptor = ends[1]
    var loop = CaptureLoop(
      handle, ring: ring, isMonitor: true, now: { 0 }, slept: { 0 }, reopen: { nil })
    loop.run()
    #expect(ring.all() == [packet(1)])
  }

  @Test("counts losses whose counter goes round")
  func roundLosses() {
    let found = run([[.drops(.max), .nothing, .drops(4), .nothing]])
    #expect(
      found == [
        .lost(UInt64(UInt32.max), Self.second, .kernel), .lost(5, 2 * Self.second, .kernel),
      ])
  }

  @Test("takes what is queued when a device goes, says so, and opens it anew until it works")
  func gone() {
    let found = run([
      [step(1), .drops(7), .failed(EPIPE), step(2), .nothing], nil, nil,
      [step(30 * Self.second), .drops(2), .nothing],
    ])
    #expect(
      found == [
        packet(1), .lost(7, 2 * Self.second, .kernel), packet(2), .off(2 * Self.second),
        .on(7 * Self.second), packet(30 * Self.second), .lost(2, 9 * Self.second, .kernel),
      ])
  }

  @Test("closes a handle that is dead before it opens another")
  func closing() {
    let ring = RecordRing()
    weak var first: Scripted?
    var wasOpen: [Bool] = []
    func opened() -> Scripted {
      let handle = Scripted([.failed(EPIPE)]) {}
      first = handle
      return handle
    }
    var loop = CaptureLoop(
      opened(), ring: ring, isMonitor: true, now: { 0 }, slept: { 0 },
      reopen: {
        wasOpen.append(first != nil)
        ring.stop()
        return nil
      })
    loop.patience = (1, 2)
    loop.run()
    #expect(wasOpen == [false])
  }

  @Test("goes on with its handle after errors that pass", arguments: [ENETDOWN, ENOBUFS, EINTR])
  func passing(code: Int32) {
    let found = run([[step(1), .failed(code), .failed(code), step(2), .nothing]])
    #expect(found == [packet(1), packet(2)])
  }

  @Test("gives a handle up whose errors do not cease")
  func ceaseless() {
    let errors = [Scripted.Step](repeating: .failed(ENETDOWN), count: 10)
    let found = run([[step(1)] + errors, [step(99 * Self.second)]])
    #expect(found.count == 4)
    #expect(found.last == packet(99 * Self.second))
    guard case .off = found[1], case .on = found[2] else {
      return #expect(Bool(false), "no pause was told: \(found)")
    }
  }

  @Test("is certain of the time up to a margin before it found nothing")
  func clock() {
    let ring = RecordRing()
    _ = run([[step(Self.second), .nothing]], ring: ring)
    // Opening it took one second, two calls of `next` another each; the last at the end found nothing.
    #expect(ring.drainedMoment == 4 * Self.second - ArrivalAge.margin)
  }

  @Test("tells that the machine slept")
  func sleep() {
    let found = run([
      [step(Self.second), .sleep(3), .nothing, .sleep(0), .nothing, step(9 * Self.second)]
    ])
    #expect(
      found == [
        packet(Self.second), .off(Self.second), .on(6 * Self.second), packet(9 * Self.second),
      ])
  }

  @Test("tells when a controller is switched off, behind what it said before, and on again")
  func down() {
    let found = run(
      [[step(1), .nothing, step(2), .nothing, .nothing, step(9 * Self.second), .nothing]],
      downSeconds: 3..<6)
    #expect(
      found == [
        packet(1), packet(2), .off(3 * Self.second), .on(6 * Self.second), packet(9 * Self.second),
      ])
  }

  @Test("tells once that a controller that is down has gone, and that it is back when it is up")
  func downAndGone() {
    let found = run(
      [[step(1), .nothing, .nothing, .failed(EPIPE)], nil, [.nothing, .nothing, .nothing]],
      downSeconds: 3..<10)
    #expect(found == [packet(1), .off(3 * Self.second), .on(10 * Self.second)])
  }

  @Test("lets time go on while a device is gone")
  func clockWhileGone() {
    let ring = RecordRing()
    _ = run([[.failed(EPIPE)], nil, nil], ring: ring)
    #expect(ring.drainedMoment == 5 * Self.second - ArrivalAge.margin)
  }

  @Test("ends although packets come for ever, and takes those that are there")
  func endless() {
    final class Endless: PacketHandle {
      let descriptor: Int32 = -1
      var count: Int64 = 0
      let ring: RecordRing
      init(_ ring: RecordRing) { self.ring = ring }
      func drops() -> UInt32? { 0 }
      func next(_ body: (CapturedPacket, Span<UInt8>) -> Void) -> PacketOutcome {
        count += 1
        if count == 1000 { ring.stop() }
        let none: [UInt8] = []
        body(CapturedPacket(nanoseconds: count, original: 0), none.span)
        return .packet
      }
    }
    let ring = RecordRing()
    let handle = Endless(ring)
    var loop = CaptureLoop(
      handle, ring: ring, isMonitor: true, now: { 0 }, slept: { 0 }, reopen: { nil })
    loop.run()
    #expect(ring.isClosed)
    #expect(handle.count > 1000)
    #expect(ring.counts.received == UInt64(handle.count))
  }

  @Test(
    "knows which way packets went",
    arguments: [
      (true, [0, 0, 0, 2], .hostToController), (true, [0, 0, 0, 3], .controllerToHost),
      (true, [0, 0, 0, 4], .hostToController), (true, [0, 0, 0, 5], .controllerToHost),
      (true, [0, 0, 0, 18], .hostToController), (true, [0, 0, 0, 19], .controllerToHost),
      (true, [0, 0, 0, 0], .unknown), (true, [0, 0, 1, 2], .unknown), (true, [0, 0], .unknown),
      (false, [0, 0, 0, 0], .hostToController), (false, [0, 0, 0, 1], .controllerToHost),
      (false, [], .unknown),
    ] as [(Bool, [UInt8], CaptureItem.Direction)])
  func directions(isMonitor: Bool, bytes: [UInt8], direction: CaptureItem.Direction) {
    let found = run([[.packet(5, bytes)]], isMonitor: isMonitor)
    #expect(found == [.packet(bytes, 5, original: bytes.count, direction)])
  }
}
