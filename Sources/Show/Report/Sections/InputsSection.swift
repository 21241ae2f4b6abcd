import CaptureReader
import CaseStore
import Foundation

/// What the findings rest on: files with their hashes, settings, numbers, version.
struct InputsSection {
  let contents: Contents

  var html: HTMLText {
    Section.html("inputs", "Inputs and settings", files + notRead + settings + profiles + regions)
  }

  private var files: HTMLText {
    let table = Table(
      id: "input-table", caption: "What was read",
      columns: [
        .init(title: "File"), .init(title: "Kind"), .init(title: "Bytes", isNumber: true),
        .init(title: "Time (UTC)"), .init(title: "SHA-256"),
      ])
    let captures = contents.captures.map { capture -> HTMLText in
      let packed: HTMLText = capture.compression.map { ", \($0)" } ?? ""
      return row(
        capture.name, "\(capture.container)\(packed)<br><small>\(capture.linkTypes)</small>",
        capture.bytes, Words.span(capture.fromNs, capture.toNs), capture.sha256)
    }
    let others = contents.files.map { row($0.name, "\($0.role)", $0.bytes, "", $0.sha256) }
    let plugins = contents.plugins.filter { plugin in
      !contents.files.contains { $0.sha256 == plugin.sha256 }
    }.map { row($0.name, "plugin \($0.version)", nil, "", $0.sha256) }
    return table.html(captures + others + plugins)
  }

  /// Files that could not be read, and what folders held beside captures.
  private var notRead: HTMLText {
    let problems = contents.problems.rows.map { problem -> HTMLText in
      "<li><b>\(problem.capture)</b>: \(problem.detail)</li>"
    }
    let others = contents.passedOver.rows.map { file -> HTMLText in
      "<li><b>\(file.capture ?? "")</b>: \(file.text)</li>"
    }
    let hasCopies = contents.passedOver.rows.contains {
      $0.code == ProblemCode.sameCapture.rawValue
    }
    func list(_ title: HTMLText, _ items: [HTMLText], _ rest: HTMLText) -> HTMLText {
      items.isEmpty ? "" : "<h3>\(title)</h3>\(rest)<ul>\(items.joined())</ul>"
    }
    return list(
      "Not read", problems, CaseQuery.rest(contents.problems.others, "file", table: "problems"))
      + list(
        hasCopies
          ? "Passed over: copies, and what is no capture" : "Passed over in folders: no captures",
        others,
        CaseQuery.rest(contents.passedOver.others, "file", table: "remarks"))
  }

  private func row(
    _ name: String, _ kind: HTMLText, _ bytes: Int?, _ span: String, _ sha256: String?
  ) -> HTMLText {
    """
    <tr><th scope="row">\(name == "-" ? "standard input" : name)</th><td>\(kind)</td>\
    \(Table.number(bytes.map { Words.number($0) } ?? "", bytes.map { Double($0) }))<td class="t">\(span)</td>\
    <td class="id hash">\(sha256 ?? "not known")</td></tr>

    """
  }

  private var settings: HTMLText {
    let options = contents.options.map { Words.quoted($0) }.joined(separator: " ")
    let plugins = contents.plugins.map { plugin -> HTMLText in
      let errors: HTMLText =
        plugin.errors > 0 ? ", \(Words.counted(plugin.errors, "error"))" : ""
      let end: HTMLText =
        plugin.switchedOffNs == nil ? "" : ", switched off at \(Words.moment(plugin.switchedOffNs))"
      return """
        <li><b>\(plugin.name)</b> \(plugin.version): \(Words.counted(plugin.alerts, "alert")), \
        \(Words.number(plugin.heldBack)) held back\(errors)\(end); <span class="id hash">\(plugin.sha256)</span></li>
        """
    }
    return """
      <h3>Settings</h3><dl><dt>Program</dt><dd>beacontrace \(contents.version)</dd>
      <dt>Options</dt><dd>\(options.isEmpty ? "<span>none</span>" : "<code>\(options)</code>" as HTMLText)</dd></dl>
      \(plugins.isEmpty ? "" : "<h3>Plugins</h3><ul>\(plugins.joined())</ul>" as HTMLText)
      """
  }

  private var profiles: HTMLText {
    guard !contents.profiles.isEmpty else { return "" }
    let numbers = contents.profiles.map { Self.numbers($0.numbers) }
    var names: [String] = []
    for (name, _) in numbers.joined() where !names.contains(name) { names.append(name) }
    let table = Table(
      id: "profile-table", caption: "Numbers of each profile, the first is the main one",
      columns: [.init(title: "Number")]
        + contents.profiles.map { .init(title: HTMLText(text: $0.name), isNumber: true) })
    return "<h3>Profiles</h3>"
      + table.html(
        names.map { name in
          let values = numbers.map { list -> HTMLText in
            "<td class=\"n\">\(list.first { $0.name == name }?.value ?? "")</td>"
          }
          return "<tr><th scope=\"row\">\(name)</th>\(values.joined())</tr>\n"
        })
  }

  /// A flat JSON object's members, by name.
  private static func numbers(_ json: String) -> [(name: String, value: String)] {
    guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    else { return [] }
    return object.keys.sorted().map { key in
      let value = object[key]
      if value is NSNull { return (key, "none") }
      // JSON's own words for what Foundation makes numbers of.
      if json.contains("\"\(key)\":true") || json.contains("\"\(key)\": true") {
        return (key, "yes")
      }
      if json.contains("\"\(key)\":false") || json.contains("\"\(key)\": false") {
        return (key, "no")
      }
      return (key, value.map { "\($0)" } ?? "")
    }
  }

  private var regions: HTMLText {
    guard contents.regions.count > 0 else { return "" }
    let table = Table(
      id: "region-table", caption: "Regions as they were followed",
      columns: [.init(title: "Region"), .init(title: "Definition")])
    return "<h3>Regions</h3>"
      + CaseQuery.rest(contents.regions.others, "region", table: "regions")
      + table.html(
        contents.regions.rows.map {
          "<tr><th scope=\"row\">\($0.name)</th><td class=\"id\">\($0.definition)</td></tr>\n"
        })
  }
}
