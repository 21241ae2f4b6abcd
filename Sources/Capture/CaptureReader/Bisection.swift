extension Range where Bound == Int {
  /// The first place for which something is true that is then true of all behind it; the end where there is none.
  @inlinable
  public func bisected(by isTrue: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isTrue(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
