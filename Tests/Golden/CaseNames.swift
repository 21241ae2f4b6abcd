import Checks
import Testing

extension GoldenCase: CustomTestStringConvertible {
  package var testDescription: String { id }
}
