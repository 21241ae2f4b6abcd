/// What all parts of the page have in common.
enum Section {
  static func html(_ id: HTMLText, _ title: HTMLText, _ body: HTMLText) -> HTMLText {
    """
    <section id="\(id)" aria-labelledby="\(id)-title">
    <h2 id="\(id)-title">\(title)</h2>
    \(body)
    </section>

    """
  }
}

/// How to get from the case what the page leaves out.
enum CaseQuery {
  static func html(_ sql: String) -> HTMLText {
    "<code>beacontrace case query CASE \(Words.quoted(sql))</code>"
  }

  /// A sentence for a table of which only the first rows are shown; nothing where all are.
  static func rest(_ others: Int, _ one: String, table: String) -> HTMLText {
    guard others > 0 else { return "" }
    return """
      <p class="note">\(Words.counted(others, "more \(one)")) not shown: \
      \(html("SELECT * FROM \(table)"))</p>
      """
  }
}

/// A table that can be scrolled sideways where it is wider than the window.
struct Table {
  struct Column {
    let title: HTMLText
    var isNumber = false
    /// What rows can be chosen by, as the script offers it; nil: not by this column. A cell's value is its
    /// text, its `data-value`, or the texts of the elements with `data-value` in it.
    var choice: HTMLText?
  }

  let id: HTMLText
  /// What it lists, for those who do not see it.
  let caption: String
  let columns: [Column]
  /// What is filtered, in words; nil: no filter.
  var filter: String?

  /// So many are hardly wider than a small screen.
  private static let fewColumns = 4

  /// Shown on a small screen, where nothing else says that there is more at the side.
  private var hint: HTMLText {
    columns.count > Self.fewColumns
      ? "<small class=\"drag\">Wider than this screen: drag the table to the left →</small>" : ""
  }

  var opening: HTMLText {
    let filterField: HTMLText =
      filter.map {
        """
        <p class="filter needs-js"><label>Filter \($0) <input type="search" data-filter="\(id)" autocomplete="off"></label>
        <span class="choices"></span><output aria-live="polite"></output></p>
        """
      } ?? ""
    let heads = columns.map { column -> HTMLText in
      let style: HTMLText = column.isNumber ? " class=\"n\"" : ""
      let choice: HTMLText = column.choice.map { " data-choice=\"\($0)\"" } ?? ""
      return "<th scope=\"col\"\(style)\(choice)>\(column.title)</th>"
    }.joined()
    return """
      \(filterField)\(hint)<div class="wide" tabindex="0" role="region" aria-label="\(caption)"><table id="\(id)" class="sortable">
      <caption>\(caption)</caption>
      <thead><tr>\(heads)</tr></thead><tbody>

      """
  }

  static let closing: HTMLText = "</tbody></table></div>\n"

  func html(_ rows: [HTMLText]) -> HTMLText { opening + rows.joined() + Self.closing }

  /// A cell to be sorted by a number.
  static func number(_ text: String, _ value: Double?) -> HTMLText {
    number(html: "\(text)", value)
  }

  static func number(html text: HTMLText, _ value: Double?) -> HTMLText {
    let key = value.map { String($0) } ?? ""
    return "<td class=\"n\" data-sort=\"\(key)\">\(text)</td>"
  }
}
