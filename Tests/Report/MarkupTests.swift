import Testing

@testable import Report

@Suite("Markup of the page") struct MarkupTests {
  @Test("x") func x() {}
}
