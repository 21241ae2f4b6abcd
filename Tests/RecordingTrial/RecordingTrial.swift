import CaptureWriter

/// Records packets to a file, and says after each pause how many an analysis would have been shown:
/// `RecordingTrial FILE PACKETS`. Ends with a line of what the recording says of itself.
@main struct RecordingTrial {
  static func main() throws {
    let path = CommandLine.arguments[1]
    let count = Int(CommandLine.arguments[2]) ?? 0
    let monitor = PcapngWriter.Interface(linkType: 254, name: "bluetooth-monitor", resolution: 9)
    let recorder = try CaptureRecorder(
      CaptureRecorder.Settings(path), interfaces: [monitor], clock: { 0 })
    for number in 0..<count {
      recorder.take(packet(number), frame: number + 1)
      if number % 7 == 6 {
        recorder.pause()
        print(number + 1)
      }
    }
    recorder.end()
    let state = recorder.state
    print("packets \(state.packets) notWritten \(state.notWritten) \(state.problem ?? "")")
  }

  /// An event of the Linux monitor.
  static func packet(_ number: Int) -> CaptureItem {
    let time = 1_767_268_800_000_000_000 + Int64(number) * 1_000_000
    let bytes: [UInt8] = [0, 0, 0, 3, 0x0E, UInt8(number % 40)]
    return .packet(
      Record(time, bytes + [UInt8](repeating: UInt8(number & 255), count: number % 40)),
      interface: 0, direction: .controllerToHost)
  }
}
