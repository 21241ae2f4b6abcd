/// What opens the evidence of an event, where the page has it.
struct EventCell {
  let evidence: Evidence

  /// A cell with the id, to be copied whole, and what opens it.
  func html(_ row: Int64, _ event: String) -> HTMLText {
    let opener: HTMLText =
      evidence.has(row)
      ? "<button class=\"event\" data-event=\"\(row)\" data-id=\"\(event)\">evidence</button>"
      : "<small class=\"lacks\">not in this page</small>"
    return "<td class=\"event-id\"><code>\(event)</code> \(opener)</td>"
  }

  /// Words that open an event; where the page has no evidence of it, its id stands below.
  func html(_ row: Int64, _ event: String, words: String) -> HTMLText {
    evidence.has(row)
      ? """
      <button class="event" data-event="\(row)" data-id="\(event)" title="What decided \(event)">\(words)</button>
      """ : "\(words)<br><small class=\"lacks\"><code>\(event)</code> not in this page</small>"
  }
}
