import CaseStore

/// Entries that are not proved, by the rows of their events: why, in words.
struct DoubtfulEntries {
  private var words: [Int64: String] = [:]

  init(_ file: CaseFile) throws {
    // A stay begins when it was crossed into, also where that was told later.
    try file.forEach(
      select: """
        SELECT events.id, entry_why FROM events CROSS JOIN stays
          ON stays.profile_id = events.profile_id AND stays.region_id = events.region_id
            AND stays.observer_id = events.observer_id AND stays.since_ns = coalesce(\(CaseSQL.crossed), time_ns)
          WHERE type = 'enter' AND entry_why IS NOT NULL
        """
    ) { row in
      if let event = row[0].int { words[event] = row[1].text }
    }
  }

  subscript(event: Int64) -> String? { words[event] }
}
