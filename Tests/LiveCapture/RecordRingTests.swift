import CaptureWriter
import Synchronization
import TestSupport
import Testing

@testable import LiveCapture

@Suite("The ring between capturing and analysing") struct RecordRingTests {
  @Test("gives items back as they were put, in their order")
  func order() {
    let ring = RecordRing(capacity: 4096)
    let three: [UInt8] = [1, 2, 3]
    let none: [UInt8] = []
    ring.put(three.span, nanoseconds: 5, original: 9, direction: .hostToController)
    ring.lost(7, nanoseconds: 6)
    ring.off(nanoseconds: 7)
    ring.on(nanoseconds: 8)
    ring.put(none.span, nanoseconds: -1, original: 0)
    #expect(
      ring.all() == [
        .packet([1, 2, 3], 5, original: 9, .hostToController), .lost(7, 6, .kernel), .off(7),
        .on(8), .packet([], 0, original: 0, .unknown),
      ])
  }

  @Test("keeps packets whole wherever its memory ends", arguments: 0..<20)
  func wrapping(seed: UInt64) {
    var random = Seeded(seed)
    let ring = RecordRing(capacity: 4096 + 8 * random.below(64))
    var expected: [Passed] = []
    var found: [Passed] = []
    for number in 1...2000 {
      let length = random.below(random.once(in: 8) ? 900 : 60)
      if ring.put(number, length: length) { expected.append(passed(number, length: length)) }
      for _ in 0..<random.below(3) {
        if let item = ring.next() { found.append(Passed(item)) }
      }
    }
    ring.close()
    found += ring.all()
    #expect(found.filter { if case .packet = $0 { true } else { false } } == expected)
    #expect(ring.counts.received == UInt64(expected.count))
    #expect(lostByProgram(found) == UInt64(2000 - expected.count))
    #expect(ring.counts.lostInProgram == UInt64(2000 - expected.count))
  }

  @Test("tells what found no room before the next packet that finds some")
  func overrun() {
    let ring = RecordRing(capacity: 4096)
    var number = 0
    repeat { number += 1 } while ring.put(number, length: 200)
    let first = number
    ring.put(number + 1, length: 200)
    #expect(ring.counts.lostInProgram == 2)
    var items: [Passed] = []
    while let item = ring.next() { items.append(Passed(item)) }
    ring.put(number + 2, length: 200)
    items += ring.all()
    #expect(
      items == (1..<first).map { passed($0, length: 200) } + [
        .lost(2, Int64(first + 1), .program), passed(first + 2, length: 200),
      ])
  }

  @Test("tells losses without another packet as soon as there is room, and at the end")
  func lateLosses() {
    for ends in [false, true] {
      let ring = RecordRing(capacity: 4096)
      var number = 0
      repeat { number += 1 } while ring.put(number, length: 200)
      if ends {
        ring.close()
      } else {
        for _ in 1..<number { _ = ring.next() }
        ring.drained(until: 1_000)
      }
      #expect(ring.all().last == .lost(1, Int64(number), .program))
    }
  }

  @Test("adds losses up while nothing can be told, whoever lost")
  func alternatingLosses() {
    let ring = RecordRing(capacity: 4096)
    var number = 0
    repeat { number += 1 } while ring.put(number, length: 200)
    // The reserve has room for some losses only.
    for _ in 0..<1000 {
      ring.put(number, length: 200)
      ring.lost(2, nanoseconds: 77)
    }
    ring.close()
    let items = ring.all().dropFirst(number - 1)
    #expect(lostByProgram(Array(items)) == 1001)
    #expect(ring.counts.lostInKernel == 2000)
    #expect(
      items.reduce(UInt64(0)) {
        if case .lost(let count, _, .kernel) = $1 { $0 + count } else { $0 }
      } == 2000)
  }

  @Test("adds losses of any number up")
  func hugeLosses() {
    let ring = RecordRing(capacity: 4096)
    var number = 0
    while ring.put(number, length: 200) { number += 1 }
    for _ in 0..<2 { ring.lost(.max, nanoseconds: 9, isOwn: false) }
    let found = ring.all()
    ring.close()
    #expect((found + ring.all()).contains(.lost(.max, 9, .kernel)))
  }

  @Test("loses a packet that would never fit rather than wait for ever")
  func tooLarge() {
    let ring = RecordRing(capacity: 4096)
    #expect(!ring.put(1, length: 5000, waits: true))
    ring.put(2)
    #expect(ring.all() == [.lost(1, 1, .program), passed(2)])
  }

  @Test("holds a packet of any size that libpcap may give")
  func largest() {
    let ring = RecordRing(capacity: RecordRing.leastCapacity)
    let length = Int(PcapHandle.snapLength) + 4
    for number in 1...5 {
      #expect(ring.put(number, length: length))
      #expect(ring.all() == [passed(number, length: length)])
    }
  }

  @Test("never takes the clock back, nor on before a loss is told")
  func clock() {
    let ring = RecordRing(capacity: 4096)
    #expect(ring.drainedMoment == .min)
    ring.drained(until: 50)
    ring.drained(until: 40)
    #expect(ring.drainedMoment == 50)
    while ring.put(1, length: 0) {}
    ring.drained(until: 60)
    #expect(ring.drainedMoment == 50)
    _ = ring.all()
    ring.drained(until: 70)
    #expect(ring.drainedMoment == 70)
  }

  @Test("loses nothing of a producer that waits, however slow the consumer")
  func waiting() {
    let ring = RecordRing(capacity: 4096)
    let producer = Beside {
      for number in 1...20_000 { ring.put(number, length: number % 97, waits: true) }
      ring.close()
    }
    var expected = 1
    while !(ring.isClosed && ring.isEmpty) {
      guard let item = ring.next() else {
        ring.wait()
        continue
      }
      #expect(Passed(item) == passed(expected, length: expected % 97))
      expected += 1
    }
    producer.finish()
    #expect(expected == 20_001)
    #expect(ring.counts.lostInProgram == 0)
  }

  @Test("says of every gap how large it is, under load")
  func loadedGaps() {
    let ring = RecordRing(capacity: 8192)
    let producer = Beside {
      for number in 1...100_000 { ring.put(number) }
      ring.close()
    }
    var last = 0
    var told = 0
    while !(ring.isClosed && ring.isEmpty) {
      guard let item = ring.next() else {
        ring.wait()
        continue
      }
      switch Passed(item) {
      case .packet(let bytes, let time, _, _):
        #expect(bytes == packet(Int(time), length: 8))
        #expect(Int(time) - last - 1 == told)
        last = Int(time)
        told = 0
      case .lost(let count, let time, .program):
        told += Int(count)
        #expect(Int(time) == last + told)
      default: Issue.record("nothing else was put")
      }
    }
    producer.finish()
    #expect(last + told == 100_000)
    #expect(ring.counts.waiting == 0)
  }

  @Test("lets a producer that waits go when it is to stop")
  func stopping() {
    let ring = RecordRing(capacity: 4096)
    let refused = Atomic<Int>(0)
    let producer = Beside {
      while ring.put(1, length: 100, waits: true) {}
      refused.add(1, ordering: .relaxed)
    }
    ring.stop()
    producer.finish()
    #expect(refused.load(ordering: .relaxed) == 1)
    #expect(ring.isStopping)
    #expect(!ring.pauses(milliseconds: 60_000))
  }

  private func lostByProgram(_ items: [Passed]) -> UInt64 {
    items.reduce(0) {
      if case .lost(let count, _, .program) = $1 { $0 + count } else { $0 }
    }
  }
}
