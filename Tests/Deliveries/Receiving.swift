import Analysis
import Deliveries
import Foundation

/// A folder of a test's own, gone with it, and scripts in it that receive alerts.
final class Receiving: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "deliveries-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// A command that runs a script; `$F` is a path in the folder.
  func script(_ text: String) throws -> String {
    let path = path("receiver-\(UUID().uuidString.prefix(8))")
    try Data("#!/bin/bash\nF='\(self.path(""))'\n\(text)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  func lines(_ name: String) -> [String] {
    let text = try? String(contentsOfFile: path(name), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Waits for what a receiver does; gives up after half a minute.
  func wait(until condition: () -> Bool) -> Bool {
    for _ in 0..<3000 {
      if condition() { return true }
      usleep(10_000)
    }
    return false
  }

  static func alert(
    _ number: Int, padding: Int = 0, _ severity: Alert.Severity = .info
  ) -> AlertLine {
    let rest = String(repeating: "x", count: padding)
    return AlertLine(
      bytes: Array("{\"n\":\(number),\"x\":\"\(rest)\"}".utf8), severity: severity)
  }
}

/// One line of what is kept of undelivered alerts.
struct Kept: Decodable, Equatable {
  struct Alert: Decodable, Equatable { let n: Int }
  let receiver: String
  let reason: String
  let detail: String
  let tries: Int
  let alert: Alert

  static func lines(_ receiving: Receiving, _ name: String) throws -> [Kept] {
    try receiving.lines(name).map { try JSONDecoder().decode(Kept.self, from: Data($0.utf8)) }
  }
}
