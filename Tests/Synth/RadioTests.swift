import Foundation
import Testing

@testable import Synth

/// The radio's arithmetic.
struct RadioTests {
  @Test func logarithm() {
    for value in stride(from: 0.001, to: 2000, by: 0.37) {
      #expect(abs(Logarithm.ten(value) - log10(value)) < 1e-14 * max(1, abs(log10(value))))
    }
    #expect(Logarithm.ten(1) == 0)
  }

  /// A decade of distance costs ten times the exponent.
  @Test func signalsFadeWithDistance() {
    let radio = Radio(exponent: 2.5, noise: 0, sensitivity: -90, loss: 0)
    let near = radio.mean(atOneMetre: -59, distance: 10, walls: 0)
    let far = radio.mean(atOneMetre: -59, distance: 100, walls: 0)
    #expect(abs(near - far - 25) < 0.2)
    #expect(abs(near + 59 + 25) < 0.2)
    #expect(radio.mean(atOneMetre: -59, distance: 10, walls: 12) == near - 12)
  }

  @Test func noiseIsNormal() {
    var random = SplitMix64(seed: 5)
    let samples = (0..<100_000).map { _ in random.noise() }
    let mean = samples.reduce(0, +) / 100_000
    let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
    #expect(abs(mean) < 0.01)
    #expect(abs(variance - 1) < 0.02)
  }

  @Test func generator() {
    // Seed 1234567, as published with the algorithm.
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
  }

  @Test(arguments: [
    (Point(x: 1, y: 1), Point(x: 2, y: 2), 0), (Point(x: -1, y: 1), Point(x: 2, y: 2), 1),
    (Point(x: 2, y: 2), Point(x: 2, y: 9), 1), (Point(x: -1, y: 2), Point(x: 9, y: 2), 2),
    (Point(x: -1, y: 2), Point(x: -1, y: 9), 0), (Point(x: -3, y: 2), Point(x: 2, y: 8), 0),
    (Point(x: -1, y: 3), Point(x: 3, y: -1), 2), (Point(x: -9, y: 2), Point(x: -1, y: 2), 0),
  ])
  func wallsBetween(_ a: Point, _ b: Point, _ walls: Int) {
    let room = Room(
      name: "room", corner: Point(x: 0, y: 0), width: 4, height: 4, wallLoss: 5, region: nil)
    #expect(room.crossings(a, b) == walls)
    #expect(room.crossings(b, a) == walls)
  }

  @Test func pathsAreStraight() {
    var path = Path([
      Path.Waypoint(time: 10, place: Point(x: 0, y: 0)),
      Path.Waypoint(time: 20, place: Point(x: 10, y: 0)),
      Path.Waypoint(time: 40, place: Point(x: 10, y: 40)),
    ])
    #expect(path.position(at: 0) == Point(x: 0, y: 0))
    #expect(path.position(at: 15) == Point(x: 5, y: 0))
    #expect(path.position(at: 30) == Point(x: 10, y: 20))
    #expect(path.position(at: 99) == Point(x: 10, y: 40))
    // Back again: paths are walked several times.
    #expect(path.position(at: 12) == Point(x: 2, y: 0))
  }

  @Test func schedule() {
    var random = SplitMix64(seed: 9)
    var schedule = Schedule()
    for number in 0..<50 {
      schedule.add(Schedule.Turn(time: Int64(random.below(20)), number: Int32(number)))
    }
    var turns: [Schedule.Turn] = []
    while let turn = schedule.next {
      turns.append(turn)
      schedule.reschedule(turn.time < 40 ? turn.time + 15 : nil)
    }
    #expect(turns.count > 100)
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 < $1 })
  }
}
