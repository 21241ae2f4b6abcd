import CaptureWriter
import Glibc

/// What the capturing thread does: packets into the ring, and what else happened in its place.
struct CaptureLoop<Handle: PacketHandle> {
  let ring: RecordRing
  /// Whether packets are the kernel's monitor's (else a controller's).
  let isMonitor: Bool
  /// Nanoseconds since 1970, by the clock that stamps packets.
  let now: () -> Int64
  /// Nanoseconds that the machine has slept since it was started.
  let slept: () -> Int64
  /// Another handle for the same interface; nil where it cannot be had now.
  let reopen: () -> Handle?
  /// Whether the controller is down: its handle says nothing of that, and hears nothing.
  var isDown: () -> Bool = { false }
  /// Milliseconds between attempts to open, which double up to the second.
  var patience: (first: Int32, last: Int32) = (250, 2000)

  private var handle: Handle?
  private var drops: UInt32 = 0
  private var failures = 0
  private var lastStamp: Int64 = 0
  private var age = ArrivalAge()
  private var wait: Int32 = 0
  private var waiting: [pollfd]
  private var asleep: Int64
  private var lastAwake: Int64
  /// What the ring was told last.
  private var isOff = false
  private var lookedAt: Int64 = 0

  /// Packets between two looks at what was lost, and at the signal to stop.
  static var most: Int { 256 }
  /// Errors one after the other, without a packet between them, until a handle is given up.
  static var mostFailures: Int { 10 }
  /// Nanoseconds of sleep that are told.
  static var shortestSleep: Int64 { 500_000_000 }
  /// Nanoseconds between two looks whether a controller is down.
  static var lookingPace: Int64 { 500_000_000 }

  init(
    _ handle: Handle, ring: RecordRing, isMonitor: Bool, now: @escaping () -> Int64,
    slept: @escaping () -> Int64, reopen: @escaping () -> Handle?
  ) {
    self.handle = handle
    self.ring = ring
    self.isMonitor = isMonitor
    self.now = now
    self.slept = slept
    self.reopen = reopen
    asleep = slept()
    lastAwake = now()
    waiting = [
      pollfd(fd: -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: ring.stopDescriptor, events: Int16(POLLIN), revents: 0),
    ]
  }

  /// Until the ring's stop signal; what the kernel has then still goes into the ring.
  mutating func run() {
    while !ring.isStopping {
      lookForSleep()
      lookForPower()
      if let handle {
        if drain(handle) != .packet, self.handle != nil { awaitPackets(handle) }
      } else {
        tryAgain()
      }
    }
    // So many at most, as more may come all the time.
    var turns = 1024
    while turns > 0, let handle, drain(handle) == .packet { turns -= 1 }
    ring.close()
  }

  /// While the machine slept nothing was heard, and the handle does not say so.
  private mutating func lookForSleep() {
    let sum = slept()
    if sum - asleep >= Self.shortestSleep, !isOff {
      turn(off: true, at: max(lastAwake, lastStamp))
      turn(off: false, at: now())
    }
    asleep = sum
    lastAwake = now()
  }

  private mutating func lookForPower() {
    let moment = now()
    guard let handle, abs(moment - lookedAt) >= Self.lookingPace else { return }
    lookedAt = moment
    let isDown = isDown()
    guard isDown != isOff else { return }
    // What it said before is told before; it says nothing now.
    var turns = 1024
    while isDown, turns > 0, drain(handle) == .packet { turns -= 1 }
    if self.handle != nil { turn(off: isDown, at: max(moment, lastStamp)) }
  }

  private mutating func turn(off: Bool, at moment: Int64) {
    guard off != isOff else { return }
    isOff = off
    if off { ring.off(nanoseconds: moment) } else { ring.on(nanoseconds: moment) }
  }

  /// Takes what is there, some hundred packets at most.
  /// - Returns: `packet` where there may be more, `failed` where that has been counted.
  private mutating func drain(_ handle: Handle) -> PacketOutcome {
    for _ in 0..<Self.most {
      let before = now()
      let outcome = take(handle)
      switch outcome {
      case .packet:
        failures = 0
        age.note(stamp: lastStamp, at: before)
      case .nothing:
        countLosses(handle, at: before)
        ring.drained(until: age.certain(at: before))
        return .nothing
      case .failed(let code):
        countLosses(handle, at: before)
        failed(code, at: before)
        return outcome
      }
    }
    // More are waiting, with stamps before now.
    countLosses(handle, at: lastStamp)
    return .packet
  }

  private mutating func take(_ handle: Handle) -> PacketOutcome {
    handle.next { packet, bytes in
      lastStamp = packet.nanoseconds
      ring.put(
        bytes, nanoseconds: packet.nanoseconds, original: packet.original,
        direction: direction(bytes))
    }
  }

  private mutating func awaitPackets(_ handle: Handle) {
    waiting[0].fd = handle.descriptor
    unsafe _ = poll(&waiting, 2, 100)
    let trouble = Int16(POLLERR | POLLHUP | POLLNVAL)
    // An error that reading does not name would let us go round and round.
    if waiting[0].revents & trouble != 0, waiting[0].revents & Int16(POLLIN) == 0 {
      if drain(handle) == .nothing { failed(0, at: now()) }
    }
  }

  private mutating func countLosses(_ handle: Handle, at moment: Int64) {
    guard let count = handle.drops() else { return }
    if count != drops { ring.lost(UInt64(count &- drops), nanoseconds: moment) }
    drops = count
  }

  /// A controller that is down says ENETDOWN and goes on when it is up; EPIPE is the end of a handle,
  /// and so is what does not cease.
  private mutating func failed(_ code: Int32, at moment: Int64) {
    guard let handle else { return }
    failures += 1
    let isPassing = code == ENETDOWN || code == EINTR || code == ENOBUFS || code == 0
    if isPassing && failures < Self.mostFailures {
      _ = ring.pauses(milliseconds: 10)
      return
    }
    // The error comes before what is still queued.
    var left = 65536
    while left > 0, take(handle) == .packet { left -= 1 }
    countLosses(handle, at: max(moment, lastStamp))
    self.handle = nil
    turn(off: true, at: max(moment, lastStamp))
    wait = patience.first
  }

  private mutating func tryAgain() {
    guard ring.pauses(milliseconds: wait) else { return }
    wait = min(2 * wait, patience.last)
    let moment = now()
    guard let opened = reopen() else {
      ring.drained(until: age.certain(at: moment))
      return
    }
    handle = opened
    drops = 0
    failures = 0
    // One that has come back is down at first.
    lookedAt = moment
    if !isDown() { turn(off: false, at: moment) }
  }

  /// From the opcode of the monitor's header (`BTMON` numbers), or the direction that stands first.
  private func direction(_ bytes: Span<UInt8>) -> CaptureItem.Direction {
    guard bytes.count >= 4 else { return .unknown }
    if !isMonitor { return bytes[3] == 0 ? .hostToController : .controllerToHost }
    switch UInt16(bytes[2]) << 8 | UInt16(bytes[3]) {
    case 2, 4, 6, 18: return .hostToController
    case 3, 5, 7, 19: return .controllerToHost
    default: return .unknown
    }
  }
}
