/// How captures of frames that were cut out of others begin to say what they are: by that they are known again.
package enum CutWords {
  package static let cited = "Frames cited by a case of beacontrace"
  static let chosen = "Frames cut out by beacontrace: "

  package static let all = [cited, chosen]
  /// How captures begin that hold pseudonyms.
  static let shared = "Shared by beacontrace: "
}
