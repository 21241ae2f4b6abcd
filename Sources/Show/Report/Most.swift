/// How much of a case is drawn. A page has to open at once whatever was recorded; what is left out is
/// told, and how to get it.
enum Most {
  static let rows = 1000
  static let events = 5000
  static let alerts = 5000
  static let lanes = 60
  static let spansOfLane = 1500
  static let marks = 400
  static let plots = 200
  /// Bins of all plots together.
  static let bins = 40_000
  static let rangedRegions = 40
  /// Ranged moments of all plots together.
  static let ranged = 25_000
  static let fixes = 4000
  static let summarised = 12
  /// Alerts, and remarks, that stand in the summary.
  static let worst = 6
  /// Remarks of one kind there.
  static let alike = 2
  /// Bytes of JSON.
  static let evidence = 2_400_000
}
