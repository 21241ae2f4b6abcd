import CaptureWriter
import Foundation
import Testing

@Suite("Names of files") struct DiskFileTests {
  @Test("lead to one file whatever they are spelt like, also where there is none yet")
  func same() throws {
    let folder = try ScratchFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(filePath: folder.path("here")))
    try files.linkItem(atPath: folder.path("here"), toPath: folder.path("hard"))
    for (name, target) in [("soft", "here"), ("dangling", "sub/new"), ("way", "sub")] {
      try files.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }
    for (one, other) in [
      ("here", "hard"), ("here", "soft"), ("here", "sub/../here"), ("new", "./new"),
      ("sub/new", "dangling"), ("sub/new", "way/new"), ("no/new", "no/new"),
    ] {
      #expect(DiskFile.isSame(folder.path(one), folder.path(other)), "\(one) \(other)")
    }
    for (one, other) in [("here", "new"), ("new", "sub/new"), ("here", "sub"), ("new", "newer")] {
      #expect(!DiskFile.isSame(folder.path(one), folder.path(other)), "\(one) \(other)")
    }
    #expect(DiskFile.resolved(folder.path("dangling")).hasSuffix("/sub/new"))
  }
}
