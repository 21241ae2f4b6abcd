import Foundation
import Testing

/// The page from outside: what it is made of, and where it goes.
@Suite struct ReportTests {
  @Test func thePageOfCapturesIsThatOfTheirCase() throws {
    let scratch = try Scratch()
    let run = try Tool.shell(
      """
      cp '\(Captures.folder.path)/museum/btsnoop-h4.btsnoop' . || exit
      "$TOOL" analyze -q --report one.html btsnoop-h4.btsnoop | tail -n 1
      "$TOOL" analyze -q --report two.html --case site.sqlite btsnoop-h4.btsnoop | tail -n 2
      rm btsnoop-h4.btsnoop
      "$TOOL" case report -o three.html site.sqlite
      "$TOOL" case report site.sqlite > four.html
      cmp one.html two.html && cmp one.html three.html && cmp one.html four.html
      """, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.lines.filter { $0.hasPrefix("Wrote") }
        == ["one.html", "site.sqlite", "two.html", "three.html"].map { "Wrote \($0)." })
    let page = try String(contentsOf: scratch.folder.appending(path: "one.html"), encoding: .utf8)
    #expect(page.contains("One capture was read: btsnoop-h4.btsnoop, btsnoop"))
    // The file itself is gone, and its bytes are there.
    #expect(
      page.contains("\"frames\":[[") && page.contains("b9407f30-f5f8-466e-aff9-25556b57fe6d:"))
  }

  @Test func aPageThatCannotBeWrittenIsTold() throws {
    let scratch = try Scratch()
    let run = try Tool.run(
      "analyze", "-q", "--report", scratch.folder.appending(path: "none/site.html").path,
      "museum/btsnoop-h4.btsnoop")
    #expect(run.status == 74)
    #expect(run.complaints.count == 1)
    #expect(run.errors.contains("site.html") && run.errors.contains("no such file or directory"))
  }

  @Test func thePageHasNoPlaceBesideTheTimeline() throws {
    let run = try Tool.run("analyze", "--report", "-", "museum/btsnoop-h4.btsnoop")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("name a file"))
  }
}
