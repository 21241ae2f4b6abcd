#!/usr/bin/python3
"""What the page must do in a browser: run by .ci/browser."""

import base64
import gzip
import json
import re
import shutil
import struct
import subprocess
import sys
import time
import traceback

from browser import ROOT, SCRATCH, browser, lines
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from site_pages import HOSTILE, WALK, WALK_OPTIONS, pages


def all_of(driver, selector):
    return driver.find_elements(By.CSS_SELECTOR, selector)


def one(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def text(driver, selector):
    """Also where it cannot be seen at the moment."""
    return driver.execute_script("return arguments[0].textContent", one(driver, selector))


def range_shown(driver):
    box = one(driver, "#lanes svg.timed").get_dom_attribute("viewBox").split()
    return float(box[0]), float(box[2])


def axis(driver):
    return [mark.get_attribute("textContent") for mark in all_of(driver, "#lanes .axis span")]


def opens_quietly(driver, made):
    for name, path in made.items():
        driver.get_log("performance")
        driver.get_log("browser")
        driver.get(path.as_uri())
        driver.execute_script("document.querySelectorAll('section').forEach(s => s.scrollIntoView())")
        time.sleep(0.3)
        told = driver.get_log("browser")
        assert not told, f"{name}: the console says {told}"
        asked = []
        for entry in driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"].split("#")[0])
        assert set(asked) == {path.as_uri()}, f"{name}: it asks for {asked}"
        assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0


def says_the_same_as_the_events(driver, made):
    events = [json.loads(line) for line in lines("events", "--format", "ndjson", *WALK_OPTIONS, WALK)]
    wanted = [event["id"] for event in events if event["type"] in ("enter", "exit", "state")]
    driver.get(made["walk"].as_uri())
    shown = [code.get_attribute("textContent") for code in all_of(driver, "#event-table .event-id code")]
    missing = [event for event in wanted if event not in shown]
    assert wanted and not missing, f"not among the page's events: {missing}"


def frame_bytes(number):
    """A record of the walk, read here."""
    data = gzip.open(ROOT / "Captures" / WALK).read()
    at = 16
    for _ in range(number - 1):
        at += 24 + struct.unpack(">I", data[at + 4:at + 8])[0]
    length = struct.unpack(">I", data[at + 4:at + 8])[0]
    return data[at + 24:at + 24 + length]


def shows_the_frames_own_bytes(driver, made):
    events = [json.loads(line) for line in lines("events", "--format", "ndjson", *WALK_OPTIONS, WALK)]
    event = next(event for event in events if event["type"] == "exit")
    frame = event["evidence"][0]["frame"]
    driver.get(made["walk"].as_uri())
    button = next(
        button for button in all_of(driver, "#event-table .event")
        if button.get_attribute("data-id") == event["id"])
    button.click()
    assert one(driver, "#dialog").is_displayed()
    pieces = driver.execute_script(
        "return Array.from(document.querySelectorAll('#dialog .bytes > span'),"
        " piece => piece.firstChild.textContent)")
    assert bytes.fromhex(" ".join(pieces)) == frame_bytes(frame), "other bytes than the capture's"
    marks = [mark.text for mark in all_of(driver, "#dialog .mark small")]
    assert marks == ["address", "uuid", "major", "minor"], marks
    uuid = next(mark for mark in all_of(driver, "#dialog .mark") if "uuid" in mark.text)
    assert uuid.text.split("\n")[0].replace(" ", "") == "b9407f30f5f8466eaff925556b57fe6d"
    said = text(driver, "#dialog-body")
    for words in (event["grade"], f"frame {frame:,}".replace(",", " "), "beacontrace explain"):
        assert words in said, f"not said: {words}"
    assert f"event={event['id']}" in driver.current_url


def gives_ids_whole(driver, made):
    driver.get(made["walk"].as_uri())
    for table in ("event-table", "alert-table"):
        rows, ids = all_of(driver, f"#{table} tbody tr"), all_of(driver, f"#{table} .event-id code")
        assert len(rows) == len(ids) > 0, (table, len(rows), len(ids))
        # By itself: a wheel turns after the next action begins, in some versions.
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", ids[0])
        ActionChains(driver).double_click(ids[0]).perform()
        copied = driver.execute_script("return getSelection().toString()").strip()
        assert copied == ids[0].get_attribute("textContent") and len(copied) == 16, copied
    told = text(driver, "#events")
    assert "This page has what decided all" in told and "beacontrace explain ID CASE" in told


def closes_by_escape(driver, made):
    driver.get(made["walk"].as_uri())
    button = all_of(driver, "#event-table .event")[0]
    button.send_keys(Keys.ENTER)
    assert one(driver, "#dialog").is_displayed()
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    assert not one(driver, "#dialog").is_displayed()
    assert driver.switch_to.active_element == button, "the focus does not go back"


def opens_alerts_from_the_timeline(driver, made):
    driver.get(made["walk"].as_uri())
    one(driver, "#lanes .alert-mark").click()
    assert "cloned-identity" in text(driver, "#dialog-body")
    cited = all_of(driver, "#dialog-body button.event")
    if cited:
        cited[0].click()
        assert one(driver, "#dialog").is_displayed()


def zooms_by_keys(driver, made):
    driver.get(made["walk"].as_uri())
    before = axis(driver)
    lanes = one(driver, "#lanes")
    lanes.send_keys("+")
    assert range_shown(driver) == (250000, 500000), range_shown(driver)
    assert axis(driver) != before and text(driver, "#shown") != ""
    lanes.send_keys(Keys.ARROW_RIGHT)
    assert range_shown(driver)[0] == 375000
    lanes.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert range_shown(driver)[0] == 125000
    signal = one(driver, "#signals svg.timed").get_dom_attribute("viewBox").split()
    assert float(signal[0]) == 125000, "the other charts stay where they were"
    lanes.send_keys("-")
    lanes.send_keys("+", "0")
    assert range_shown(driver) == (0, 1000000) and axis(driver) == before


def zooms_by_dragging(driver, made):
    driver.get(made["walk"].as_uri())
    before = axis(driver)
    field = all_of(driver, "#lanes .field")[-1]
    width = field.size["width"]
    ActionChains(driver).move_to_element(field).move_by_offset(-width // 4, 0).click_and_hold() \
        .move_by_offset(width // 4, 0).release().perform()
    first, length = range_shown(driver)
    assert abs(first - 250000) < 5000 and abs(length - 250000) < 5000, (first, length)
    assert axis(driver) != before
    time.sleep(0.4)
    address = driver.current_url
    assert "#range=2026-05-19T10:03:4" in address, address
    driver.get("about:blank")
    driver.get(address)
    again = range_shown(driver)
    assert abs(again[0] - first) < 5 and abs(again[1] - length) < 5, (again, first, length)
    ActionChains(driver).double_click(all_of(driver, "#lanes .field")[-1]).perform()
    assert range_shown(driver) == (0, 1000000)


def zooms_by_buttons(driver, made):
    driver.get(made["walk"].as_uri())
    one(driver, "[data-move=in]").click()
    one(driver, "[data-move=later]").click()
    assert range_shown(driver) == (375000, 500000), range_shown(driver)
    one(driver, "[data-move=all]").click()
    assert range_shown(driver) == (0, 1000000)


CONTROLS = """
  return Array.from(document.querySelectorAll('a[href], button, input, select, [tabindex="0"]'))
    .filter(element => element.checkVisibility() && element.closest('dialog') === null)"""


def reaches_every_control_by_tab(driver, made):
    driver.get(made["site"].as_uri())
    wanted = driver.execute_script(CONTROLS)
    driver.execute_script("""
      window.reached = new Set();
      document.addEventListener('focusin', event => window.reached.add(event.target))""")
    for _ in range(0, len(wanted) + 5, 5):
        ActionChains(driver).send_keys(*[Keys.TAB] * 5).perform()
    missed = driver.execute_script(
        CONTROLS.replace("return", "return (", 1)
        + ").filter(element => !window.reached.has(element)).map(element => element.outerHTML)")
    assert not missed, f"not reached: {missed[:3]}"
    first = one(driver, ".skip")
    driver.execute_script("arguments[0].focus()", first)
    assert first.is_displayed() and first.location["x"] >= 0, "the way past the bar is not seen"
    # Lists of links, of buttons and of pictures tell them apart.
    for kind in ["#beacon-table tbody a", "#event-table button.event", "#lanes svg[role=img]"]:
        names = driver.execute_script(
            "return Array.from(document.querySelectorAll(arguments[0]), it => it.getAttribute('aria-label'))", kind)
        assert len(names) > 1 and len(set(names)) == len(names), f"{kind}: {names[:3]}"


def sorts_and_filters(driver, made):
    driver.get(made["walk"].as_uri())

    def column(number):
        return [cell.get_attribute("textContent")
                for cell in all_of(driver, f"#beacon-table tbody tr > :nth-child({number})")]

    # What is laid out only now moves what is below it.
    driver.execute_script("document.getElementById('beacon-table').scrollIntoView()")
    time.sleep(0.3)
    head = all_of(driver, "#beacon-table thead button")[2]
    head.click()
    seen = [int(cell.replace("\u00a0", "")) for cell in column(3)]
    assert seen == sorted(seen) and len(seen) > 5, seen
    head.click()
    assert [int(cell.replace("\u00a0", "")) for cell in column(3)] == seen[::-1]
    assert all_of(driver, "#beacon-table thead th")[2].get_attribute("aria-sort") == "descending"
    field = one(driver, "[data-filter=beacon-table]")
    field.send_keys("eddystone-uid")
    rows = [row for row in all_of(driver, "#beacon-table tbody tr") if row.is_displayed()]
    assert 0 < len(rows) < len(seen) and all("Eddystone-UID" in row.text for row in rows)
    told = one(driver, "#beacons .filter output").text
    assert told == f"{len(rows)} of {len(seen)} shown", told


def shown_rows(driver, table):
    return driver.execute_script(
        f"return Array.from(document.querySelectorAll('#{table} tbody tr'))"
        ".filter(row => !row.hidden).map(row => Array.from(row.cells, cell => cell.textContent))")


def choose(driver, section, name, value):
    """What can be chosen by that name, with that chosen."""
    label = next(label for label in all_of(driver, f"#{section} .choices label")
                 if label.get_attribute("textContent").startswith(name + " "))
    select = Select(label.find_element(By.TAG_NAME, "select"))
    select.select_by_visible_text(value)
    return [option.get_attribute("textContent") for option in select.options]


def chooses_rows_by_what_they_are(driver, made):
    driver.get(made["apart"].as_uri())
    every = shown_rows(driver, "event-table")
    assert one(driver, "#events .filter output").text == f"all {len(every)} shown"
    receivers = {row[3] for row in every}
    offered = choose(driver, "events", "Receiver", "09")
    assert offered[0] == "all" and set(offered[1:]) == receivers and len(receivers) == 2, offered
    offered = choose(driver, "events", "Kind", "exit")
    assert {"enter", "exit", "state"} <= set(offered), offered
    wanted = [row for row in every if row[1].startswith("exit") and row[3] == "09"]
    assert 0 < len(wanted) < len(every) and shown_rows(driver, "event-table") == wanted
    assert one(driver, "#events .filter output").text == f"{len(wanted)} of {len(every)} shown"
    # A word goes with what is chosen.
    region = wanted[0][2]
    one(driver, "[data-filter=event-table]").send_keys(region)
    assert shown_rows(driver, "event-table") == [row for row in wanted if region in row[2]]
    one(driver, "[data-filter=event-table]").clear()
    choose(driver, "events", "Receiver", "all")
    choose(driver, "events", "Kind", "all")
    assert shown_rows(driver, "event-table") == every
    driver.get(made["dense"].as_uri())
    every = shown_rows(driver, "alert-table")
    choose(driver, "alerts", "Severity", "warning")
    assert shown_rows(driver, "alert-table") == [row for row in every if row[1] == "warning"]
    # Without the script all of them are there, and nothing to choose.
    other = browser(scripts=False)
    try:
        other.get(made["dense"].as_uri())
        rows = [row for row in all_of(other, "#alert-table tbody tr") if row.is_displayed()]
        assert len(rows) == len(every) and not all_of(other, "select"), len(rows)
    finally:
        other.quit()


def is_dark_and_light(driver, made):
    def paper():
        return driver.execute_script("return getComputedStyle(document.body).backgroundColor")

    driver.get(made["walk"].as_uri())
    light = paper()
    assert light == "rgb(255, 255, 255)", light
    one(driver, "#theme").click()
    assert paper() == light
    one(driver, "#theme").click()
    dark = paper()
    assert dark != light
    assert "dark" in one(driver, "#theme").get_attribute("aria-label")
    other = browser(dark=True)
    try:
        other.get(made["walk"].as_uri())
        assert other.execute_script(
            "return getComputedStyle(document.body).backgroundColor") == dark
    finally:
        other.quit()


def fits_narrow_windows(_, made):
    driver = browser(width=360, height=740)
    try:
        for name, path in made.items():
            driver.get(path.as_uri())
            width = driver.execute_script("return document.documentElement.scrollWidth")
            assert width <= 360, f"{name} is {width} wide"
            for button in all_of(driver, "#event-table .event")[:1]:
                driver.execute_script("arguments[0].click()", button)
                assert driver.execute_script(
                    "let d = document.getElementById('dialog'); return d.scrollWidth <= d.clientWidth"
                ), f"{name}: evidence is wider than the window"
    finally:
        driver.quit()


def prints_every_visit(driver, made):
    driver.get(made["walk"].as_uri())
    visits = len(all_of(driver, "#visit-table tbody tr"))
    since = driver.execute_script(
        "return Array.from(document.querySelectorAll('#visit-table tbody .t:nth-child(2)'),"
        " cell => cell.firstChild.textContent)")
    assert visits > 4 and len(since) == visits
    # What is filtered away is printed all the same.
    field = one(driver, "[data-filter=event-table]")
    field.send_keys("nothing of the kind")
    events = [code.get_attribute("textContent") for code in all_of(driver, "#event-table .event-id code")]
    assert events and all(re.fullmatch("[0-9a-f]{16}", event) for event in events), events
    if not shutil.which("pdftotext"):
        return "printing was not tried: pdftotext is missing (Debian: poppler-utils)"
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    path = SCRATCH / "walk.pdf"
    path.write_bytes(base64.b64decode(printed["data"]))
    said = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    missing = [time for time in since if time not in said] + [
        event for event in events if event not in said]
    assert not missing, f"not printed: {missing}"
    assert "Filter" not in said and "Zoom" not in said
    # On small sheets the tables go on and on: their heads stand on each.
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8, "paperHeight": 4})
    path.write_bytes(base64.b64decode(printed["data"]))
    pages = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout.split("\f")
    goes_on = [page for page in pages if sum(event in page for event in events) > 1]
    headless = [page for page in goes_on if "Id and" not in page]
    assert len(goes_on) > 1 and not headless, f"without a head: {headless[:1]}"
    return None


def is_not_fooled(driver, made):
    driver.get(made["site"].as_uri())
    assert driver.execute_script("return window.wasFooled") is None
    assert not all_of(driver, "img"), "a name has become an element"
    told = text(driver, "#alert-table")
    visible = HOSTILE.replace("\u202e", "\\u{202e}").replace("\x1b", "\\u{1b}")
    assert visible in told, told
    one(driver, "#alert-table .event").click()
    assert visible in text(driver, "#dialog")
    assert not all_of(driver, "img") and driver.execute_script("return window.wasFooled") is None
    everything = driver.execute_script("return document.documentElement.textContent")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", everything)
    # A page that lets one script run, lets no other one run.
    driver.execute_script(
        "let s = document.createElement('script'); s.textContent = 'window.wasFooled = 2';"
        "document.body.append(s)")
    assert driver.execute_script("return window.wasFooled") is None, "any script may run"


def says_the_story_without_script(_, made):
    driver = browser(scripts=False)
    try:
        driver.get(made["site"].as_uri())
        assert all_of(driver, "html.js") == [], "scripts do run"
        assert "One capture was read" in one(driver, "#summary").text
        assert len([lane for lane in all_of(driver, ".lane svg") if lane.is_displayed()]) >= 2
        assert len(all_of(driver, "#lanes .axis span")) >= 4
        assert all_of(driver, "#lanes path.inside") and all_of(driver, "#map path.track")
        shown = [part for part in all_of(driver, ".needs-js") if part.is_displayed()]
        assert not shown, "what does nothing is shown"
    finally:
        driver.quit()


def draws_the_map(driver, made):
    driver.get(made["site"].as_uri())
    assert len(all_of(driver, "#map circle.region")) == 1
    assert "plaza" in one(driver, "#map").text and "50 m" in one(driver, "#map").text
    driver.get(made["positions"].as_uri())
    assert all_of(driver, "#map svg"), "positions in a capture are not drawn"


def leaves_long_pauses_out(driver, made):
    driver.get(made["apart"].as_uri())
    cut = one(driver, "#lanes .cut")
    field = one(driver, "#lanes .field")
    title = cut.get_attribute("title").replace("\u00a0", " ")
    assert title.startswith("nothing recorded for 122 d"), title
    place = (cut.rect["x"] - field.rect["x"]) / field.rect["width"]
    assert 0.45 < place < 0.55, place
    labels = axis(driver)
    assert "2026-05-19" in labels and "09-19" in labels and len(labels) >= 6, labels
    # The dates stand where their stretches begin.
    september = next(mark for mark in all_of(driver, "#lanes .axis span")
                     if mark.get_attribute("textContent") == "09-19")
    assert abs(september.rect["x"] - cut.rect["x"] - cut.rect["width"]) < 3
    # What is dragged over behind the cut is of September, and the address takes it back there.
    width = field.size["width"]
    ActionChains(driver).move_to_element(field).move_by_offset(width // 8, 0).click_and_hold() \
        .move_by_offset(width // 8, 0).release().perform()
    first, length = range_shown(driver)
    told = text(driver, "#shown")
    assert told.startswith("2026-09-19 10:0") and "05-19" not in told, told
    assert all(re.fullmatch(r"\d\d:\d\d(:\d\d)?", label) for label in axis(driver)), axis(driver)
    time.sleep(0.4)
    address = driver.current_url
    assert "#range=2026-09-19T10:0" in address, address
    driver.get("about:blank")
    driver.get(address)
    again = range_shown(driver)
    assert abs(again[0] - first) < 5 and abs(again[1] - length) < 5, (again, first, length)
    # A range over the cut has both.
    one(driver, "#lanes").send_keys("0")
    one(driver, "#lanes").send_keys("+")
    told = text(driver, "#shown")
    assert "2026-05-19" in told and "2026-09-19" in told, told


def number(words):
    return int(re.match(r"×?([\d\u00a0]+)", words).group(1).replace("\u00a0", ""))


def counted(driver, marks):
    """How many a lane's marks stand for."""
    return sum(number(words) if words else 1 for words in
               driver.execute_script(f"return Array.from(document.querySelectorAll('{marks}'), m => m.textContent)"))


def divides_marks_that_lie_too_near(driver, made):
    driver.get(made["dense"].as_uri())
    total = len(all_of(driver, "#alert-table tbody tr"))
    assert total > 400, total
    marks = "#lanes .alert-mark"
    whole = all_of(driver, marks)
    assert len(whole) < 45 and counted(driver, marks) == total, (len(whole), counted(driver, marks))
    boxes = sorted(mark.rect["x"] for mark in whole)
    assert all(b - a > 20 for a, b in zip(boxes, boxes[1:])), "marks lie on each other"
    # What one stands for opens as a list, and each of these its evidence.
    many = one(driver, "#lanes .alert-mark.many")
    count, title = number(many.text), many.get_attribute("title")
    assert "warning" in title and "info" in title and f"{count} alerts, 10:0" in title, title
    many.click()
    listed = all_of(driver, "#dialog .group button.event")
    assert len(listed) == count, (len(listed), count)
    listed[0].click()
    assert "again" in text(driver, "#dialog-title")
    one(driver, "#dialog .close").click()
    # A shorter time has room for them all.
    lanes = one(driver, "#lanes")
    for _ in range(5):
        lanes.send_keys("+")
    assert all_of(driver, marks) and not all_of(driver, "#lanes .alert-mark.many")
    lanes.send_keys("0")
    assert counted(driver, marks) == total and all_of(driver, "#lanes .alert-mark.many")


CHECKS = [
    opens_quietly, gives_ids_whole, says_the_same_as_the_events, shows_the_frames_own_bytes, closes_by_escape,
    opens_alerts_from_the_timeline, zooms_by_keys, zooms_by_dragging, zooms_by_buttons,
    reaches_every_control_by_tab, sorts_and_filters, chooses_rows_by_what_they_are, is_dark_and_light, fits_narrow_windows,
    prints_every_visit, is_not_fooled, says_the_story_without_script, draws_the_map,
    leaves_long_pauses_out, divides_marks_that_lie_too_near,
]


def main():
    made = pages()
    driver = browser()
    failed = 0
    try:
        for check in CHECKS:
            if sys.argv[1:] and check.__name__ not in sys.argv[1:]:
                continue
            try:
                note = check(driver, made)
                print(f"ok    {check.__name__}" + (f" ({note})" if note else ""))
            except Exception as error:
                failed += 1
                line = traceback.extract_tb(error.__traceback__)[-1].lineno
                print(f"FAIL  {check.__name__} (line {line}): {str(error)[:600]}")
    finally:
        driver.quit()
    sys.exit(1 if failed else 0)


main()
