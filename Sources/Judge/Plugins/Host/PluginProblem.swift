/// Why a plugin cannot be used: the whole sentence.
package struct PluginProblem: Error, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
