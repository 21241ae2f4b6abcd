/// Whether the gaps that are about as long as the shortest tenth are a beacon's interval.
///
/// Where most packets are lost hardly two that follow one another are heard: the shortest tenth is then three
/// or ten intervals long, and on either side of it lie as many gaps. Those of one interval stand alone: none is
/// shorter, and the next ones are twice as long.
struct IntervalEvidence {
  /// Gaps by their length as a part of the supposed interval: below 0.75, up to 1.4, and from there to 1.7.
  let shorter: Int
  let single: Int
  let between: Int
  /// All of them.
  let total: Int

  /// From so many on those beside them tell by themselves whether they stand alone.
  private static let many = 32
  /// Of fewer there have to be so many more than a fifth: some gaps of any length lie side by side by chance.
  private static let more = 3

  var isSound: Bool {
    guard shorter * 4 <= single, between * 4 <= single else { return false }
    return single >= Self.many || single * 5 >= total + 5 * Self.more
  }
}
