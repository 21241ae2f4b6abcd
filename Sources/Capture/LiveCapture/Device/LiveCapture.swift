package import CaptureWriter
import Glibc
import Synchronization

package struct LiveOptions: Sendable {
  /// Bytes that the kernel is asked to hold of packets not read yet.
  package var receiveBuffer = 16 << 20
  package init() {}
}

package enum LiveDevice {
  /// Opens an interface: `bluetooth-monitor`, or `bluetoothN`. To be done before root is dropped.
  package static func open(_ name: String, _ options: LiveOptions = LiveOptions())
    throws(LiveProblem) -> LiveCapture
  {
    let handle = try PcapHandle.open(name, receiveBuffer: options.receiveBuffer)
    return LiveCapture(name, handle, options)
  }
}

/// An opened interface, and the thread that captures from it.
package final class LiveCapture: @unchecked Sendable {
  // Unchecked: the handle is the caller's until `start`, then the thread's.
  package let interface: PcapngWriter.Interface

  private let name: String
  private let options: LiveOptions
  private var handle: PcapHandle?
  private let running = Mutex<Running>(Running())
  private let lastTrouble = Mutex<LiveProblem?>(nil)
  private let isControllerDown = Atomic<Bool>(false)
  /// Asks the kernel for controllers; of the capturing thread alone.
  private var questions: HCISocket?

  private struct Running {
    var ring: RecordRing?
    var thread: CaptureThread?
  }

  init(_ name: String, _ handle: PcapHandle, _ options: LiveOptions) {
    var interface = PcapngWriter.Interface(linkType: handle.linkType, name: name, resolution: 9)
    interface.snapLength = UInt32(PcapHandle.snapLength)
    self.interface = interface
    self.name = name
    self.handle = handle
    self.options = options
  }

  /// The controller is there, and switched off; of all controllers together: none is up, or none is there.
  package var isDown: Bool { isControllerDown.load(ordering: .relaxed) }
  /// Why the interface could not be opened again; nil where all is well.
  package var trouble: LiveProblem? { lastTrouble.withLock { $0 } }

  /// Begins to put packets into the ring, whose one producer this is; call once. It ends with the
  /// ring's stop signal.
  package func start(into ring: RecordRing) {
    precondition(handle != nil, "capturing has begun already")
    let thread = CaptureThread { [self] in
      guard let handle = takeHandle() else { return ring.close() }
      var loop = CaptureLoop(
        consume handle, ring: ring, isMonitor: interface.linkType == 254, now: wallClock,
        slept: sleepSum, reopen: openAgain)
      loop.isDown = look
      loop.run()
    }
    running.withLock { $0 = Running(ring: ring, thread: thread) }
  }

  /// Ends capturing, and waits until what the kernel has is in the ring.
  package func stop() {
    let running = running.withLock { running in
      defer { running.thread = nil }
      return running
    }
    running.ring?.stop()
    running.thread?.join()
  }

  /// The loop alone holds it then: while the handle of a controller that has gone is not closed, its
  /// successor cannot have its name.
  private func takeHandle() -> PcapHandle? {
    defer { handle = nil }
    return handle
  }

  /// One that has gone is not down: its handle says so.
  /// - Returns: whether nothing is captured for that. The monitor goes on: it tells what becomes of controllers.
  private func look() -> Bool {
    guard case .controller(let number)? = InterfaceName(name) else {
      isControllerDown.store(!isAnyUp, ordering: .relaxed)
      return false
    }
    let bytes = try? HCISocket.unbound().information(of: UInt16(number))
    let isUp = bytes.flatMap { Controller(information: $0) }?.isUp ?? true
    isControllerDown.store(!isUp, ordering: .relaxed)
    return !isUp
  }

  /// Whether there is a controller that is up, as far as anybody can tell.
  private var isAnyUp: Bool {
    if questions == nil { questions = try? HCISocket.unbound() }
    guard let questions, let all = try? Controller.all(questions) else { return true }
    return all.contains(where: \.isUp)
  }

  private func openAgain() -> PcapHandle? {
    do throws(LiveProblem) {
      let opened = try PcapHandle.open(name, receiveBuffer: options.receiveBuffer)
      lastTrouble.withLock { $0 = nil }
      return opened
    } catch {
      lastTrouble.withLock { $0 = error }
      return nil
    }
  }
}

/// Nanoseconds since 1970, by the clock that stamps packets.
private func wallClock() -> Int64 { reading(CLOCK_REALTIME) }

/// Nanoseconds that the machine has slept: one clock counts them, the other does not.
private func sleepSum() -> Int64 { reading(CLOCK_BOOTTIME) - reading(CLOCK_MONOTONIC) }

private func reading(_ clock: Int32) -> Int64 {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
