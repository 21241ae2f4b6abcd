import CaptureReader
package import CaseStore
package import Exports
import Foundation
import GRDB

/// The page that people look at and hand over: one HTML file with everything in it, out of a case.
/// The same case gives the same bytes.
package struct Report: Sendable {
  private let file: CaseFile
  private let title: String?

  /// - Parameter title: what stands above all; nil: the captures' names, or the receivers'.
  /// - Throws: where the case cannot be read.
  package init(_ file: CaseFile, title: String? = nil) throws {
    self.file = file
    self.title = title
    _ = try file.fact("tool_version")
  }

  /// Writes the page from its beginning to its end.
  /// - Throws: errors of the case, and what the output throws.
  package func write(to output: any TextOutput) throws {
    var page = PageWriter(output)
    try file.database.read { database in
      let contents = try Contents(database)
      let beacons = contents.transmitters.mapValues(\.beaconId)
      let moments = try RangedMoments(database, beaconOf: beacons)
      let numbers = contents.profiles.first.flatMap { RangingNumbers($0) }
      let evidence = try Evidence(contents, database)
      try page.open(contents, title: title)
      try page.add(Summary(contents: contents, evidence: evidence).html)
      let timeline = try TimelineSection(contents, database)
      try page.add(timeline.html)
      try page.add(AlertsSection(contents, evidence, database).html)
      try page.add(VisitsSection(contents: contents, evidence: evidence).html)
      try page.add(BeaconsSection(contents: contents).html)
      try BeaconPlots(contents: contents, moments: moments, numbers: numbers)
        .write(database, to: &page)
      try RangingSection(contents: contents, moments: moments, numbers: numbers).write(to: &page)
      try page.add(MapSection(contents, database).html)
      try EventsSection(contents: contents, evidence: evidence).write(database, to: &page)
      try page.add(RecordsSection(contents: contents).html)
      try page.add(InputsSection(contents: contents).html)
      try page.close(contents, evidence: evidence, marks: timeline.marks)
    }
    try page.flush()
  }
}

extension PageWriter {
  /// What the page is of: captures by their names, receivers where captures are called the same, or where one wrote
  /// many.
  private static func title(_ contents: Contents) -> String {
    let files = contents.captures.map { Words.fileName($0.name) }
    guard !files.isEmpty else { return "No capture" }
    let receivers = contents.receivers.count
    let isClear = receivers == 0 || Set(files).count == files.count && receivers >= files.count
    let names = isClear ? files : contents.receivers.map(\.name)
    let more = names.count > 3 ? ["\(Words.number(names.count - 2)) more"] : []
    return Words.list(names.prefix(more.isEmpty ? 3 : 2) + more)
  }

  fileprivate mutating func open(_ contents: Contents, title: String?) throws {
    let script = PageFiles.script
    let name = title ?? Self.title(contents)
    try add(
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src '\(PageFiles.hash(PageFiles.beginning))' '\(PageFiles.hash(script))'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
      <title>\(name) – beacontrace</title>
      <style>
      """)
    try add(trusted: PageFiles.style)
    try add(
      """
      </style>
      """)
    try add(trusted: "<script>" + PageFiles.beginning + "</script>")
    try add(
      """
      </head><body>
      <a class="skip" href="#summary">Skip to the summary</a>
      <header class="bar"><nav aria-label="Parts of the page"><a href="#summary">Summary</a><a href="#timeline">Timeline</a>\
      <a href="#alerts">Alerts</a><a href="#visits">Visits</a><a href="#beacons">Beacons</a>\
      <a href="#events">Events</a><a href="#records">Accounting</a><a href="#inputs">Inputs</a></nav>
      <div class="tools needs-js"><div class="range" role="group" aria-label="Time shown">\
      <button data-move="earlier" aria-label="Earlier" title="Earlier (←)">←</button>\
      <button data-move="in" aria-label="Zoom in" title="Zoom in (+)">+</button>\
      <button data-move="out" aria-label="Zoom out" title="Zoom out (−)">−</button>\
      <button data-move="later" aria-label="Later" title="Later (→)">→</button>\
      <button data-move="all" title="The whole recording (0)">Whole</button></div>\
      <output id="shown" aria-live="polite"></output>\
      <button id="theme" aria-label="Colours: as the system has them" title="Light, dark, or as the system has it">◐</button></div></header>
      <main><h1>\(name)</h1>
      <p class="when">\(when(contents))</p>

      """)
  }

  private func when(_ contents: Contents) -> HTMLText {
    guard let scale = contents.scale else { return "No record has a time" }
    return "\(Words.span(scale.from, scale.to)) UTC"
  }

  fileprivate mutating func close(_ contents: Contents, evidence: Evidence, marks: ScriptData)
    throws
  {
    try add(
      """
      </main><footer><p>Made by beacontrace \(contents.version) from the files under <a href="#inputs">Inputs</a>. \
      This page asks for nothing from any network.</p></footer>
      <dialog id="dialog" aria-labelledby="dialog-title"><form method="dialog"><button class="close" aria-label="Close">✕</button></form>\
      <div id="dialog-body"></div></dialog>

      """)
    var times = ScriptData()
    times.object { data in
      data.key("from")
      data.text(contents.scale.map { String($0.from) })
      data.key("to")
      data.text(contents.scale.map { String($0.to) })
      contents.scale?.pieces(&data)
    }
    try add(trusted: "<script type=\"application/json\" id=\"times\">")
    try add(times)
    try add(trusted: "</script>\n<script type=\"application/json\" id=\"marks\">")
    try add(marks)
    try add(trusted: "</script>\n")
    try evidence.write(to: &self)
    try add(trusted: "<script>" + PageFiles.script + "</script>\n</body></html>\n")
  }
}

/// What stands beside this file as style and script of its own.
enum PageFiles {
  static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  /// Runs before anything is laid out, so that nothing has to be laid out again.
  static let beginning = "document.documentElement.classList.add('js')"
  static let script =
    "\"use strict\";\n(() => {\n"
    + [
      PackageResources.page_js, PackageResources.marks_js, PackageResources.evidence_js,
      PackageResources.tables_js, PackageResources.start_js,
    ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") + "})();\n"

  /// As a Content-Security-Policy names a script that may run.
  static func hash(_ script: String) -> String {
    let digits = Array(Digest.sha256(Array(script.utf8)).utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).map { place in
      UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16) ?? 0
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }
}
