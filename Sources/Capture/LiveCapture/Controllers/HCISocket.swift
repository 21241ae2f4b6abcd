package import CaptureReader
import CHCI
import Glibc

/// A socket of the kernel's Bluetooth: a controller's commands and events, the monitor of all of
/// them, or the management of the kernel's own.
package final class HCISocket: Sendable {
  package enum Channel: Sendable {
    /// Commands and their answers. Anybody may open it; most commands need CAP_NET_RAW.
    case answers
    /// What passes between all controllers and the kernel; needs CAP_NET_RAW.
    case monitor
    /// The kernel's management of controllers; reading needs nothing.
    case management
  }

  private let descriptor: Int32
  /// Longer messages are cut: nothing longer is looked at.
  private static let room = 4096

  /// - Parameter controller: its number; nil for all or none.
  package init(_ channel: Channel, controller: UInt16? = nil) throws(SystemError) {
    let raw =
      switch channel {
      case .answers: HCI_CHANNEL_RAW
      case .monitor: HCI_CHANNEL_MONITOR
      case .management: HCI_CHANNEL_CONTROL
      }
    descriptor = try Self.checked(
      hci_open(controller ?? UInt16(HCI_NO_CONTROLLER), UInt16(raw.rawValue)))
    if channel == .answers {
      _ = try Self.checked(hci_receive_answers_only(descriptor))
    }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A socket for questions to the kernel alone.
  package static func unbound() throws(SystemError) -> HCISocket {
    HCISocket(descriptor: try checked(hci_open_unbound()))
  }

  /// The numbers of all controllers, in the kernel's order.
  package func controllers() throws(SystemError) -> [UInt16] {
    var numbers = [UInt16](repeating: 0, count: HCI_MOST_CONTROLLERS)
    let count = unsafe numbers.withUnsafeMutableBufferPointer { room in
      unsafe hci_list_controllers(descriptor, room.baseAddress, Int32(room.count))
    }
    return Array(numbers.prefix(Int(try Self.checked(count))))
  }

  /// The kernel's `struct hci_dev_info`.
  package func information(of controller: UInt16) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: HCI_CONTROLLER_INFO_SIZE)
    let result = unsafe bytes.withUnsafeMutableBufferPointer { room in
      unsafe hci_controller_info(descriptor, controller, room.baseAddress)
    }
    _ = try Self.checked(result)
    return bytes
  }

  /// Needs CAP_NET_ADMIN. One that is up already stays as it is.
  package func bringUp(_ controller: UInt16) throws(SystemError) {
    let result = hci_bring_up(descriptor, controller)
    if result != -EALREADY { _ = try Self.checked(result) }
  }

  package func send(_ message: [UInt8]) throws(SystemError) {
    let result = unsafe message.withUnsafeBufferPointer { bytes in
      unsafe hci_send(descriptor, bytes.baseAddress, Int32(bytes.count))
    }
    _ = try Self.checked(result)
  }

  /// The next message; nil where none comes in time, or a signal came.
  package func receive(within milliseconds: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.room)
    let count = unsafe bytes.withUnsafeMutableBufferPointer { room in
      unsafe hci_receive(
        descriptor, Int32(clamping: milliseconds), room.baseAddress, Int32(room.count))
    }
    if count == -EAGAIN { return nil }
    bytes.removeLast(Self.room - Int(try Self.checked(count)))
    return bytes
  }

  /// Messages as they come, for so long or until the body says that it is enough.
  package func receive(
    forMilliseconds whole: Int, _ body: ([UInt8]) -> Bool
  ) throws(SystemError) {
    let end = hci_milliseconds() + Int64(whole)
    while true {
      let left = end - hci_milliseconds()
      guard left > 0 else { return }
      if let message = try receive(within: Int(left)), !body(message) { return }
    }
  }

  /// The `security.capability` of a program's file; nil without one.
  package static func capabilities(ofProgram path: String) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBufferPointer { room in
      unsafe hci_program_capabilities(path, room.baseAddress, Int32(room.count))
    }
    if count == -ENODATA { return nil }
    return Array(bytes.prefix(Int(try checked(count))))
  }

  private static func checked(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(code: -result) }
    return result
  }
}
