import CaptureWriter

/// What stands in a file that lines are to be appended to: ours or not, and what a power cut left of it. Where a cut
/// took bytes that had been written the file is as long as before, and holds zeros in their place.
struct FoundLines {
  /// Nothing, or lines of JSON, or what is left of them. What is no file, or is not for us to read, is not looked at.
  private(set) var areOurs = true
  /// Zeros behind the last empty line: where the first of them stands, and how many there are.
  private(set) var zeros: (offset: Int, count: Int)?
  /// What ends the last line where it has no end, and says that the zeros have been told: an empty line.
  private(set) var ending: [UInt8] = []

  private static let newline = UInt8(ascii: "\n")
  /// Bytes at the beginning that say whose file it is.
  private static let headSize = 4096
  /// Bytes at the end in which zeros are looked for: more than is written in the half minute after which a system
  /// brings it to the disk.
  private static let tailSize = 16 << 20
  private static let pieceSize = 64 << 10
  /// Shorter runs of zeros are a cut's only at the end of a line: UTF-16 has them everywhere.
  private static let shortestRun = 4

  init(_ path: String) {
    guard DiskFile.isRegular(path), let size = DiskFile.size(of: path), size > 0,
      let file = try? DiskFile(path, isWritten: false),
      let head = try? file.read(at: 0, count: Self.headSize)
    else { return }
    areOurs = Self.areOurs(head, isWhole: size <= Self.headSize)
    var last = Self.newline
    var offset = max(0, size - Self.tailSize)
    while let piece = try? file.read(at: offset, count: Self.pieceSize), !piece.isEmpty {
      last = look(at: piece, offset, behind: last)
      offset += piece.count
    }
    ending = last == Self.newline ? [] : [Self.newline]
    if zeros != nil { ending.append(Self.newline) }
  }

  /// - Returns: the last byte.
  private mutating func look(at piece: [UInt8], _ offset: Int, behind last: UInt8) -> UInt8 {
    var last = last
    for (place, byte) in piece.enumerated() {
      if byte == 0 {
        zeros = (zeros?.offset ?? offset + place, 1 + (zeros?.count ?? 0))
      } else if byte == Self.newline, last == Self.newline {
        zeros = nil
      }
      last = byte
    }
    return last
  }

  /// Whether all is text and runs of zeros, and the first line in which something stands is one of JSON, or the end of
  /// one whose beginning is zeros.
  private static func areOurs(_ head: [UInt8], isWhole: Bool) -> Bool {
    guard head.allSatisfy({ $0 == 0 || $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }) else {
      return false
    }
    let lines = head.split(separator: newline)
    guard lines.allSatisfy(hasLongRuns) else { return false }
    for line in lines {
      let text = line.filter { ![0, 0x20, 0x09, 0x0D].contains($0) }
      guard let first = text.first else { continue }
      if first == UInt8(ascii: "{") { return true }
      let goesOn = line.endIndex == head.endIndex && !isWhole
      return line.first == 0 && (text.last == UInt8(ascii: "}") || goesOn)
    }
    return true
  }

  private static func hasLongRuns(_ line: ArraySlice<UInt8>) -> Bool {
    var run = 0
    for byte in line {
      if byte != 0, run > 0, run < shortestRun { return false }
      run = byte == 0 ? run + 1 : 0
    }
    return true
  }
}
