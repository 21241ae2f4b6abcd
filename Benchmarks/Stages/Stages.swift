import AllocationCount
import Glibc

/// `Stages STAGE CAPTURE` takes a capture through a part of the way, in one process, and prints with
/// tabs between: wall seconds, processor seconds of the thread that asks, peak memory (KiB), records,
/// allocations.
///
/// It stands in the main package, since what it measures is not for other packages to import; it is
/// no product, so nobody builds it who does not ask for it.
@main struct Stages {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let stage = Stage(rawValue: arguments[1]) else {
      let stages = Stage.allCases.map(\.rawValue).joined(separator: "|")
      print("usage: Stages \(stages) CAPTURE")
      exit(64)
    }
    let allocations = allocation_count()
    let wall = seconds(CLOCK_MONOTONIC)
    let own = seconds(CLOCK_THREAD_CPUTIME_ID)
    let records = try stage.run(arguments[2])
    let figures = [
      String(seconds(CLOCK_MONOTONIC) - wall), String(seconds(CLOCK_THREAD_CPUTIME_ID) - own),
      String(peakMemory()), String(records), String(allocation_count() - allocations),
    ]
    print(figures.joined(separator: "\t"))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// KiB.
  private static func peakMemory() -> Int {
    var usage = rusage()
    unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss
  }
}
