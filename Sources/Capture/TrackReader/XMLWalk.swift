import CExpat
import Glibc

/// Walks an XML file with libexpat, which checks that it is well-formed, and tells `GPX` of it.
///
/// Document types are refused: GPX has none, and without them there are no entities that could grow
/// or name other files.
@safe
final class XMLWalk {
  private(set) var gpx = GPX()
  private(set) var problem: TextProblem?
  private let name: String
  private var parser: XML_Parser?

  init(name: String) { self.name = name }

  /// Reads all of it, or up to what is wrong: then `problem` says what, and `gpx` holds what came
  /// before.
  func walk(_ bytes: [UInt8]) {
    guard let parser = unsafe XML_ParserCreate(nil) else {
      problem = TextProblem(.notXML, file: name, "cannot be read: there is no memory for it")
      return
    }
    unsafe self.parser = parser
    defer {
      unsafe XML_ParserFree(parser)
      unsafe self.parser = nil
    }
    unsafe setHandlers(parser)
    // libexpat counts in 32 bits.
    let step = 1 << 20
    for start in stride(from: 0, to: max(bytes.count, 1), by: step) where problem == nil {
      let end = min(start + step, bytes.count)
      let status = unsafe bytes[start..<end].withUnsafeBytes { chunk in
        unsafe XML_Parse(
          parser, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(chunk.count),
          end == bytes.count ? 1 : 0)
      }
      if status == XML_STATUS_ERROR && problem == nil { unsafe noteError(parser) }
    }
  }

  private func noteError(_ parser: XML_Parser) {
    let words = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    problem = unsafe TextProblem(
      gpx.root == nil ? .notXML : .damaged, file: name,
      line: Int(XML_GetCurrentLineNumber(parser)),
      column: Int(XML_GetCurrentColumnNumber(parser)) + 1,
      "is no well-formed XML: \(words ?? "it cannot be read")")
  }

  private func setHandlers(_ parser: XML_Parser) {
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in
        unsafe XMLWalk.of(context)?.begin(name, attributes)
      },
      { context, _ in unsafe XMLWalk.of(context)?.gpx.end() })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      guard let walk = unsafe XMLWalk.of(context), let text = unsafe text else { return }
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      unsafe walk.gpx.add(bytes)
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      unsafe XMLWalk.of(context)?.stop(
        .notGPX, "declares a document type, which GPX never does; it is not read further")
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLWalk? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<XMLWalk>.fromOpaque(context).takeUnretainedValue()
  }

  private func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard problem == nil, let name = unsafe name, let parser = unsafe parser else { return }
    let local = unsafe Self.local(name)
    if gpx.root == nil && local != "gpx" {
      return stop(
        .notGPX, "is XML, but no GPX: its root element is \"\(local.prefix(40))\", not \"gpx\"")
    }
    let line = unsafe Int(XML_GetCurrentLineNumber(parser))
    gpx.begin(local, line: line) { wanted in
      guard let attributes = unsafe attributes else { return nil }
      return unsafe Self.value(wanted, attributes)
    }
  }

  /// Name, value, name, value, …, nil.
  private static func value(
    _ wanted: StaticString, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
  ) -> [UInt8]? {
    var at = 0
    while let name = unsafe attributes[at], let value = unsafe attributes[at + 1] {
      if unsafe String(cString: name) == "\(wanted)" {
        return unsafe Array(String(cString: value).utf8)
      }
      at += 2
    }
    return nil
  }

  /// Without the prefix of its namespace, of which files are careless.
  private static func local(_ name: UnsafePointer<CChar>) -> String {
    guard let colon = unsafe strrchr(name, 0x3A) else { return unsafe String(cString: name) }
    return unsafe String(cString: colon + 1)
  }

  private func stop(_ code: TrackCode, _ detail: String) {
    guard problem == nil, let parser = unsafe parser else { return }
    problem = unsafe TextProblem(
      code, file: name, line: Int(XML_GetCurrentLineNumber(parser)), detail)
    unsafe _ = XML_StopParser(parser, 0)
  }
}
