import Testing

@testable import Exports

@Suite("Who reads the lines of a live run") struct LiveReaderTests {
  private struct Pipe {
    var reader = LiveReader()
    var standing = LiveReader.Standing()

    mutating func next(_ now: Double, notShown: Int = 0, stuck: Double = 0) -> String? {
      standing.notShown = notShown
      standing.stuck = stuck
      return reader.next(standing, now: now).map { ($0.isBad ? "bad: " : "well: ") + $0.text }
    }
  }

  @Test("is told of soon where he reads nothing, and again when he does")
  func stuck() {
    var pipe = Pipe()
    #expect(pipe.next(1, stuck: 4) == nil)
    #expect(pipe.reader.problem == nil)
    #expect(
      pipe.next(2, stuck: 5)
        == "bad: standard output is not read: what finds no room is not shown, sightings first. The run goes "
        + "on.")
    #expect(pipe.next(30, notShown: 900, stuck: 33) == nil)
    #expect(pipe.reader.problem == "is not read")
    #expect(pipe.next(31, notShown: 900) == nil)
    #expect(pipe.reader.problem == "is not read")
    #expect(
      pipe.next(41, notShown: 900)
        == "well: standard output is read again; 900 lines were not shown.")
    #expect(pipe.reader.problem == nil)
  }

  @Test("is told of where he reads, and too slowly; no more than once a minute")
  func slow() {
    var pipe = Pipe()
    #expect(
      pipe.next(1, notShown: 1)?.hasPrefix("bad: standard output is not read fast enough:") == true)
    #expect(
      pipe.next(12, notShown: 1) == "well: standard output is read again; 1 line was not shown.")
    #expect(pipe.next(20, notShown: 5) == nil)
    #expect(pipe.reader.problem == "is not read fast enough")
    #expect(pipe.next(31, notShown: 5) == nil)
    #expect(pipe.reader.problem == nil)
    // What lasts is told all the same.
    #expect(pipe.next(50, notShown: 6, stuck: 9) == nil)
    #expect(pipe.next(61, notShown: 7, stuck: 20)?.hasPrefix("bad: ") == true)
    #expect(
      pipe.next(80, notShown: 7) == "well: standard output is read again; 2 lines were not shown.")
  }

  @Test("is told that nothing is missing where everything found room")
  func nothingLost() {
    var pipe = Pipe()
    #expect(pipe.next(1, stuck: 6) != nil)
    #expect(pipe.next(20) == "well: standard output is read again; every line was shown.")
    #expect(pipe.next(40) == nil)
  }
}
