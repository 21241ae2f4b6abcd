package import Beacons

extension BeaconStatistics {
  /// Who a number in an event or a list stands for.
  /// - Parameter number: the run's transmitter number; others trap.
  package func transmitter(_ number: Int) -> Transmitter { transmitters[UInt32(number)] }
}
