import Testing

@testable import Report

@Suite("Text in the page") struct MarkupTests {
  @Test(
    "is text, whatever is in it",
    arguments: [
      ("plain", "plain"), ("", ""), ("Größe 3 µm", "Größe 3 µm"),
      ("</script><img src=x onerror=a()>", "&lt;/script&gt;&lt;img src=x onerror=a()&gt;"),
      ("\" onload='x' & more", "&quot; onload=&#39;x&#39; &amp; more"),
      ("a\0b\u{1B}[31mc\u{7F}\u{9B}", "a\\u{0}b\\u{1b}[31mc\\u{7f}\\u{9b}"),
      ("abc\u{202E}def\u{2066}\u{200F}", "abc\\u{202e}def\\u{2066}\\u{200f}"),
      ("one\u{2028}two\nthree", "one\\u{2028}two\\u{a}three"),
      (String(decoding: [0x61, 0xFF, 0xC3, 0x62], as: UTF8.self), "a\u{FFFD}\u{FFFD}b"),
    ])
  func escaped(_ text: String, _ markup: String) {
    #expect(HTMLText(text: text).markup == markup)
    #expect(("<b title=\"\(text)\">" as HTMLText).markup == "<b title=\"\(markup)\">")
  }

  @Test("is cut where it would fill the page") func long() {
    let markup = HTMLText(text: String(repeating: "<", count: 5000)).markup
    #expect(markup.hasPrefix("&lt;&lt;"))
    #expect(markup.hasSuffix("&lt;… (1 000 more characters)"))
  }

  @Test("does not become markup by being joined") func joined() {
    let items = ["<i>", "&"].map { HTMLText(text: $0) }
    #expect(items.joined("<br>").markup == "&lt;i&gt;<br>&amp;")
  }

  @Test("path data holds nothing but paths") func path() {
    #expect(HTMLText(path: "M0 -5h3v-2H9z").markup == "M0 -5h3v-2H9z")
    #expect(HTMLText(path: "M0 1\"><script>").markup == "M0 1")
    let long = String(repeating: "h1", count: 9000)
    #expect(HTMLText(path: long).markup == long)
  }

  @Test("cannot end the script that it is data of") func scriptData() {
    var data = ScriptData()
    data.object { data in
      data.key("na\"me")
      data.text("</script><!--\u{2028}\u{2029}&\\\u{1B}")
      data.key("list")
      data.array { data in
        data.number(-3)
        data.number(nil)
        data.text(nil)
        data.array { _ in }
      }
    }
    #expect(
      data.json
        == "{\"na\\\"me\":\"\\u003c/script\\u003e\\u003c!--\\\\u{2028}\\\\u{2029}\\u0026\\\\\\\\u{1b}\","
        + "\"list\":[-3,null,null,[]]}")
  }
}
