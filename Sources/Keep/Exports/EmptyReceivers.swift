import Analysis

/// Receivers that have a folder of captures, of which none holds a record, beside others that recorded: whoever looks
/// through a hundred files with headers alone wants to be told once, and where the others are told.
struct EmptyReceivers {
  struct Receiver {
    let name: String
    let captures: [CaptureFacts]
  }

  let all: [Receiver]
  private let names: Set<String>

  init(_ captures: [CaptureFacts]) {
    var folders: [String: [CaptureFacts]] = [:]
    for (place, name) in FolderNames.names(of: captures.map(\.name)) {
      folders[name, default: []].append(captures[place])
    }
    let empty = folders.filter { $0.value.allSatisfy { Self.isEmpty($0) } }
    all =
      empty.count == folders.count
      ? []
      : empty.sorted { $0.key < $1.key }.map { name, captures in
        Receiver(name: name, captures: captures.sorted { $0.name < $1.name })
      }
    names = Set(all.filter { $0.captures.count > 1 }.flatMap(\.captures).map(\.name))
  }

  /// One sentence for each that has several captures; a capture alone speaks for itself.
  var remarks: [Remark] {
    all.filter { $0.captures.count > 1 }.map { receiver in
      Remark(
        "no_records", capture: receiver.captures[0].name, of: .several,
        "\(receiver.name) recorded nothing: of its \(TextColumns.grouped(receiver.captures.count)) captures none "
          + "holds a record, only headers.")
    }
  }

  /// Whether remarks tell of a capture already.
  func areTold(_ facts: CaptureFacts) -> Bool { names.contains(facts.name) }

  /// Nothing is wrong with it, and nothing is in it.
  static func isEmpty(_ facts: CaptureFacts) -> Bool {
    facts.accounting.records == 0 && !facts.isDamaged
  }
}
