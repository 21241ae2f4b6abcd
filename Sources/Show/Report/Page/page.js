"use strict";
(() => {
  const root = document.documentElement;
  const read = id => JSON.parse(document.getElementById(id).textContent);
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const make = (name, text, style) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (style) element.className = style;
    return element;
  };

  // The time that charts show: shares of the whole, the same for all of them.
  const times = read("times");
  // Milliseconds since 1970. Nanoseconds are more than a number holds.
  const milliseconds = text => Number(BigInt(text) / 1000n) / 1000;
  // Stretches of time and their shares; one where no pause is left out.
  const pieces = (times.pieces || [[times.from || "0", times.to || "1000000", 0, 1e6]])
    .map(([from, to, begin, end]) => {
      const start = milliseconds(from);
      const length = Math.max(milliseconds(to) - start, 1e-6);
      return { start, length, begin: begin / 1e6, width: (end - begin) / 1e6 };
    });
  const within = (low, at, high) => Math.min(high, Math.max(low, at));
  const timeAt = share => {
    const piece = pieces.find(piece => share <= piece.begin + piece.width) || pieces.at(-1);
    return piece.start + within(0, (share - piece.begin) / piece.width, 1) * piece.length;
  };
  const shareAt = time => {
    const piece = pieces.findLast(piece => piece.start <= time) || pieces[0];
    return piece.begin + within(0, (time - piece.start) / piece.length, 1) * piece.width;
  };
  const finest = Math.min(...pieces.map(piece => 20 * piece.width / piece.length));
  const least = Math.min(1, Math.max(finest, 2e-5));
  const view = { from: 0, to: 1 };
  const plots = all("svg.timed");
  const shown = document.getElementById("shown");
  const day = 86400000;
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500]
    .concat([1, 2, 5, 10, 15, 30].map(n => n * 1000))
    .concat([1, 2, 5, 10, 15, 30].map(n => n * 60000))
    .concat([1, 2, 3, 6, 12].map(n => n * 3600000))
    .concat([1, 2, 7, 14, 30, 90, 365, 3650, 36500].map(n => n * day));

  const iso = ms => new Date(ms).toISOString();
  const clock = ms => iso(ms).slice(11, 23);
  const label = (ms, step) => {
    if (step >= day) return iso(ms).slice(0, 10);
    if (ms % day === 0) return iso(ms).slice(5, 10);
    if (step < 1000) return iso(ms).slice(11, 23);
    return iso(ms).slice(11, step < 60000 ? 19 : 16);
  };

  function drawAxis(axis) {
    const width = axis.clientWidth || 800;
    const line = make("div");
    const add = (share, text) => {
      line.append(make("span", text));
      line.lastChild.style.setProperty("--t", share);
    };
    if (pieces.length > 1) addPieces(width, add);
    else marks(pieces[0], width).forEach(mark => add(...mark));
    axis.replaceChildren(line);
  }

  // Round moments of a stretch, as far as it is shown: shares and labels.
  function marks(piece, width) {
    const from = Math.max(view.from, piece.begin);
    const to = Math.min(view.to, piece.begin + piece.width);
    if (to < from) return [];
    const [first, last] = [from, to].map(
      share => piece.start + (share - piece.begin) / piece.width * piece.length);
    const room = Math.max(1, Math.floor(width * (to - from) / (view.to - view.from) / 96));
    const step = steps.find(step => (last - first) / step <= room) || steps[steps.length - 1];
    const found = [];
    for (let at = Math.ceil(first / step) * step; at <= last && found.length < 40; at += step) {
      found.push([piece.begin + (at - piece.start) / piece.length * piece.width, label(at, step)]);
    }
    return found;
  }

  // Where each stretch begins stands its date, with the year where it is another one; no label reaches into
  // the next stretch.
  function addPieces(width, add) {
    const scale = width / (view.to - view.from);
    let free = -Infinity;
    pieces.forEach((piece, place) => {
      const end = place + 1 < pieces.length ? piece.begin + piece.width : Infinity;
      const day = iso(piece.start).slice(0, 10);
      const isYearKnown = place > 0 && iso(pieces[place - 1].start).slice(0, 4) === day.slice(0, 4);
      const date = [piece.begin, isYearKnown ? day.slice(5) : day];
      const isShown = piece.begin >= view.from && piece.begin <= view.to;
      for (const [share, text] of (isShown ? [date] : []).concat(marks(piece, width))) {
        const room = (text.length * 7 + 12) / scale;
        if (share < free || (text !== date[1] && share + room > end)) continue;
        add(share, text);
        free = share + room;
      }
    });
  }

  // Axes that are near what is seen are drawn anew; measuring those of all the page's charts would lay
  // out all of the page.
  const axes = new Set();
  const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        axes.add(entry.target);
        drawAxis(entry.target);
      } else {
        axes.delete(entry.target);
      }
    }
  }, { rootMargin: "50%" });
  all(".axis").forEach(axis => watcher.observe(axis));

  let waiting = 0;
  function show(from, to, tellsAddress = true) {
    const width = Math.min(1, Math.max(least, to - from));
    view.from = Math.min(1 - width, Math.max(0, from));
    view.to = view.from + width;
    root.style.setProperty("--x0", view.from);
    root.style.setProperty("--xw", width);
    for (const plot of plots) {
      const box = plot.getAttribute("viewBox").split(" ");
      box[0] = view.from * 1e6;
      box[2] = width * 1e6;
      plot.setAttribute("viewBox", box.join(" "));
    }
    axes.forEach(drawAxis);
    drawMarks();
    shown.textContent = times.from === null || width === 1 ? "" : rangeText();
    if (!tellsAddress) return;
    clearTimeout(waiting);
    waiting = setTimeout(tellAddress, 200);
  }

  function rangeText() {
    const [from, to] = [timeAt(view.from), timeAt(view.to)];
    if (pieces.length === 1) return `${clock(from)} – ${clock(to)} UTC`;
    const [first, last] = [from, to].map(time => iso(time).slice(0, 19).replace("T", " "));
    return `${first} – ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} UTC`;
  }

  // The range, and the event that is open, stand in the address, so that it can be handed on.
  let openEvent = "";
  function tellAddress() {
    const parts = [];
    if (view.to - view.from < 1) {
      parts.push(`range=${iso(timeAt(view.from))}/${iso(timeAt(view.to))}`);
    }
    if (openEvent) parts.push(`event=${openEvent}`);
    if (parts.length === 0 && !location.hash.includes("=")) return;
    history.replaceState(null, "", `#${parts.join("&")}`);
  }

  function readAddress() {
    for (const part of location.hash.slice(1).split("&")) {
      const [name, value] = part.split("=");
      if (name === "range" && value) {
        const [from, to] = value.split("/").map(text => Date.parse(text));
        if (from < to) show(shareAt(from), shareAt(to), false);
      }
      if (name === "event" && value) openByName(value);
    }
  }

  // Marks of lanes: of those that lie too near each other in this range of time one stands for all. The
  // program has the same rule for the whole (LaneMarks.swift).
  const markData = read("marks");
  const reach = { alert: 26, doubt: 72, strokes: 28 };
  const fewStrokes = 7;
  const alerts = markData.alerts.map(([place, row, id, severity, clock, title]) =>
    ({ place, row, id, severity, clock, title }));
  const lanes = all("[data-lane]").map(field => {
    const own = markData.lanes[field.dataset.lane];
    const paths = ["enter", "exit"].map(name => field.querySelector(`path.${name}`));
    const strokes = [own.enters, own.exits].flatMap((merged, kind) => {
      const drawn = paths[kind]?.getAttribute("d").matchAll(/M(\d+)/g) || [];
      return merged.concat(Array.from(drawn, found => Number(found[1]))).map(place => ({ place, kind }));
    });
    return {
      field, paths, strokes: strokes.sort((a, b) => a.place - b.place || b.kind - a.kind),
      doubts: own.doubts.map(([place, grade, clock]) => ({ place, grade, clock })),
      alerts: own.alerts.map(number => alerts[number]),
    };
  });

  // Those in the range that is shown, each group with its first mark's place.
  function groups(list, pixels, fieldWidth) {
    const steps = pixels * 1e6 * (view.to - view.from) / fieldWidth;
    const found = [];
    for (const mark of list) {
      const last = found.at(-1);
      if (last && mark.place - last[0].place < steps) last.push(mark);
      else found.push([mark]);
    }
    const [from, to] = [view.from * 1e6 - steps, view.to * 1e6 + steps];
    return found.filter(group => group.at(-1).place >= from && group[0].place <= to);
  }

  const grouped = number => number.toLocaleString("en").replace(/,/g, "\u00a0");
  const kinds = words => {
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) || 0) + 1);
    return Array.from(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([word, count]) => `${grouped(count)} ${word}`).join(", ");
  };
  const clockAt = place => clock(timeAt(place / 1e6)).slice(0, 8);
  const placed = (element, place) => {
    element.style.setProperty("--t", place / 1e6);
    return element;
  };

  function alertMark(group) {
    const [first, last] = [group[0], group.at(-1)];
    const isOne = group.length === 1;
    const button = placed(
      make("button", isOne ? "" : grouped(group.length), isOne ? "alert-mark" : "alert-mark many"), first.place);
    if (isOne) {
      [button.dataset.event, button.dataset.id] = [first.row, first.id];
      button.title = `${first.severity}: ${first.title}`;
      button.setAttribute("aria-label", `${first.severity} at ${first.clock}: ${first.title}`);
    } else {
      button.title = alertWords(group);
      button.setAttribute("aria-label", button.title);
      button.addEventListener("click", () => openGroup(group));
    }
    return button;
  }
  const alertWords = group => `${grouped(group.length)} alerts, ${group[0].clock} to ${group.at(-1).clock}: `
    + kinds(group.map(alert => alert.severity));

  function doubtMark(group) {
    const [first, last] = [group[0], group.at(-1)];
    const grades = group.map(doubt => doubt.grade);
    const name = new Set(grades).size === 1 ? first.grade : "doubtful";
    const isOne = group.length === 1;
    const letters = make("span", isOne ? name : `${name} ×${grouped(group.length)}`, "doubt");
    letters.title = isOne ? `exit at ${first.clock}: ${name}`
      : `${grouped(group.length)} exits, ${first.clock} to ${last.clock}: ${kinds(grades)}`;
    return placed(letters, first.place);
  }

  function strokesMark(group) {
    const [first, last] = [group[0].place, group.at(-1).place];
    const ends = group.filter(stroke => stroke.kind === 1).length;
    const mark = placed(make("span", undefined, "strokes"), first);
    mark.style.setProperty("--w", (last - first) / 1e6);
    mark.title = `${grouped(group.length - ends)} begin and ${grouped(ends)} end, ${clockAt(first)} to ${clockAt(last)}`;
    mark.append(make("b", `×${grouped(group.length)}`));
    return mark;
  }

  function drawMarks() {
    if (lanes.length === 0) return;
    const fieldWidth = lanes[0].field.clientWidth || 920;
    const hadFocus = document.activeElement?.matches(".alert-mark");
    for (const lane of lanes) {
      const made = [];
      const lines = ["", ""];
      for (const group of groups(lane.strokes, reach.strokes, fieldWidth)) {
        if (group.length > fewStrokes) made.push(strokesMark(group));
        else for (const { place, kind } of group) lines[kind] += `M${place} ${kind ? "10v20" : "7v26"}`;
      }
      lane.paths.forEach((path, kind) => path?.setAttribute("d", lines[kind]));
      made.push(...groups(lane.doubts, reach.doubt, fieldWidth).map(doubtMark));
      made.push(...groups(lane.alerts, reach.alert, fieldWidth).map(alertMark));
      all(".alert-mark, .doubt, .strokes", lane.field).forEach(old => old.remove());
      lane.field.append(...made);
    }
    if (hadFocus) document.getElementById("lanes")?.focus();
  }

  const moves = {
    earlier: () => pan(-0.25), later: () => pan(0.25),
    in: () => zoom(0.5), out: () => zoom(2), all: () => show(0, 1),
  };
  const width = () => view.to - view.from;
  function pan(share) { show(view.from + share * width(), view.to + share * width()); }
  function zoom(factor) {
    const middle = (view.from + view.to) / 2;
    show(middle - width() * factor / 2, middle + width() * factor / 2);
  }
  const keys = {
    ArrowLeft: "earlier", ArrowRight: "later", "+": "in", "=": "in", "-": "out", "−": "out", 0: "all",
  };

  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.closest(".timed-group, .range")) return;
    const move = keys[event.key];
    if (!move) return;
    event.preventDefault();
    moves[move]();
  });
  all("[data-move]").forEach(button => {
    button.addEventListener("click", () => moves[button.dataset.move]());
  });

  // Dragging chooses a range; a double click gives the whole.
  all(".field").forEach(field => {
    let from = null;
    let mark = null;
    const share = event => {
      const box = field.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    field.addEventListener("pointerdown", event => {
      if (event.button !== 0 || event.target.closest("button")) return;
      from = share(event);
      field.setPointerCapture(event.pointerId);
    });
    field.addEventListener("pointermove", event => {
      const at = share(event);
      root.style.setProperty("--cursor", "-9px");
      field.style.setProperty("--cursor", `${at * 100}%`);
      field.classList.add("cursor");
      if (from === null) return;
      if (!mark) field.append(mark = make("div", "", "selection"));
      mark.style.left = `${Math.min(from, at) * 100}%`;
      mark.style.width = `${Math.abs(at - from) * 100}%`;
    });
    const finish = (event, isWanted) => {
      if (from === null) return;
      const [low, high] = [Math.min(from, share(event)), Math.max(from, share(event))];
      from = null;
      mark?.remove();
      mark = null;
      if (isWanted && (high - low) * field.clientWidth > 5) {
        show(view.from + low * width(), view.from + high * width());
      }
    };
    field.addEventListener("pointerup", event => finish(event, true));
    field.addEventListener("pointercancel", event => finish(event, false));
    field.addEventListener("pointerleave", () => field.classList.remove("cursor"));
    field.addEventListener("dblclick", event => {
      if (!event.target.closest("button")) show(0, 1);
    });
  });

  // Evidence: made when it is asked for.
  let proof = null;
  const evidence = () => proof || (proof = read("evidence"));
  // Shared pieces stand once, by their places.
  const whole = parts =>
    parts.map(part => typeof part === "number" ? evidence().texts[part] : part).join("");
  const dialog = document.getElementById("dialog");
  const body = document.getElementById("dialog-body");

  function openByName(name) {
    const row = Object.entries(evidence().events).find(entry => entry[1][0] === name);
    if (row) open(row[0], name);
  }

  function open(row, name) {
    const event = evidence().events[row];
    body.replaceChildren();
    const title = make("h2", event ? whole(event[1]) : `Event ${name}`);
    title.id = "dialog-title";
    body.append(title);
    if (event) {
      body.append(chain(event));
      if (event[4].length > 0) body.append(cited(event[4]));
    } else {
      body.append(make("p", `What decided ${name} is not in this page. The captures have it:`));
    }
    const line = document.getElementById("explain");
    if (line && event) body.append(make("p", "The same from the captures:", "again"));
    if (line) body.append(make("code", line.textContent.replace(/\bID\b/, event ? event[0] : name)));
    openEvent = event ? event[0] : name;
    tellAddress();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  // Of alerts that one mark stands for.
  function openGroup(group) {
    const title = make("h2", alertWords(group));
    title.id = "dialog-title";
    const list = make("ul", undefined, "group");
    for (const alert of group) {
      const time = make("button", alert.clock, "event");
      [time.dataset.event, time.dataset.id] = [alert.row, alert.id];
      const severity = make("span", alert.severity, "severity");
      severity.dataset.severity = alert.severity;
      const item = make("li");
      item.append(time, " ", severity, ` ${alert.title}`);
      list.append(item);
    }
    body.replaceChildren(title, list);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  function chain(event) {
    const { texts } = evidence();
    const list = make("dl");
    let wasShown = false;
    for (const [label, parts] of event[2]) {
      list.append(make("dt", texts[label]));
      const detail = make("dd");
      if (parts === null) {
        wasShown = true;
        detail.append(...event[3].map(frame));
      } else {
        detail.textContent = whole(parts);
      }
      list.append(detail);
    }
    if (!wasShown && event[3].length > 0) {
      const detail = make("dd");
      detail.append(...event[3].map(frame));
      list.append(make("dt", "decided by"), detail);
    }
    return list;
  }

  function frame([place, words, marks]) {
    const { texts, frames } = evidence();
    const box = make("div", undefined, "proof");
    if (place === null) {
      if (words !== null) box.append(make("p", whole(words)));
      return box;
    }
    const [capture, number, time, rssi, address, packed] = frames[place];
    const facts = [texts[capture], `frame ${number.toLocaleString("en").replace(/,/g, " ")}`];
    if (words !== null) facts.push(whole(words));
    else {
      facts.push(`${time} UTC`);
      if (rssi !== null) facts.push(`${String(rssi).replace("-", "−")} dBm`);
      if (address !== null) facts.push(address);
    }
    box.append(make("p", facts.join(" · ")));
    const bytes = Array.from(atob(packed), character => character.charCodeAt(0));
    const line = make("div", undefined, "bytes");
    const piece = (from, to, name) => {
      // Long pieces may break, or a narrow window would scroll.
      const hex = bytes.slice(from, to).map(byte => byte.toString(16).padStart(2, "0")).join(" ");
      const span = make("span", hex, name === undefined ? "" : "mark");
      if (name !== undefined) span.append(make("small", name));
      line.append(span);
    };
    let at = 0;
    for (const [name, from, count] of marks) {
      if (from < at || from + count > bytes.length) continue;
      if (from > at) piece(at, from);
      piece(from, from + count, texts[name]);
      at = from + count;
    }
    if (at < bytes.length) piece(at, bytes.length);
    box.append(line);
    return box;
  }

  function cited(list) {
    const box = make("p", "It cites ");
    for (const [name, row] of list) {
      const button = make("button", name, "event");
      button.dataset.event = row === null ? "" : row;
      button.dataset.id = name;
      box.append(button, " ");
    }
    return box;
  }

  document.addEventListener("click", event => {
    const button = event.target.closest("[data-event]");
    if (button) open(button.dataset.event, button.dataset.id);
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    openEvent = "";
    tellAddress();
  });

  // Tables: sorted by their heads, filtered by a word.
  const value = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.sort === undefined) return cell.textContent;
    return cell.dataset.sort === "" ? -Infinity : Number(cell.dataset.sort);
  };
  all("table.sortable thead th").forEach(head => {
    const button = make("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rows = head.closest("table").tBodies[0];
      const isDown = head.getAttribute("aria-sort") === "ascending";
      all("th", head.parentNode).forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const sorted = Array.from(rows.rows, row => [value(row, head.cellIndex), row]);
      const order = (a, b) => typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
      sorted.sort((a, b) => (isDown ? -1 : 1) * order(a[0], b[0]));
      rows.append(...sorted.map(pair => pair[1]));
    });
  });
  const filters = all("[data-filter]");
  const rowsOf = input => Array.from(document.getElementById(input.dataset.filter).tBodies[0].rows);
  // What a cell can be chosen by: a text of its own, those of elements in it, or what stands there.
  const choices = cell => {
    const parts = all("[data-value]", cell);
    if (parts.length > 0) return parts.map(part => part.textContent);
    return [cell.dataset.value ?? cell.textContent];
  };
  function filter(input) {
    const box = input.closest(".filter");
    const rows = rowsOf(input);
    const word = input.value.trim().toLowerCase();
    const chosen = all("select", box).filter(select => select.selectedIndex > 0)
      .map(select => [Number(select.dataset.column), select.value]);
    let count = 0;
    for (const row of rows) {
      row.hidden = !chosen.every(([column, value]) => choices(row.cells[column]).includes(value))
        || (word !== "" && !row.textContent.toLowerCase().includes(word));
      if (!row.hidden) count += 1;
    }
    box.querySelector("output").textContent = count === rows.length
      ? `all ${grouped(count)} shown` : `${grouped(count)} of ${grouped(rows.length)} shown`;
  }
  for (const input of filters) {
    for (const head of all("th[data-choice]", document.getElementById(input.dataset.filter))) {
      const values = Array.from(new Set(rowsOf(input).flatMap(row => choices(row.cells[head.cellIndex]))));
      if (values.length < 2) continue;
      const select = make("select");
      select.dataset.column = head.cellIndex;
      select.append(make("option", "all"));
      for (const value of values.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))) {
        const option = make("option", value || "none");
        option.value = value;
        select.append(option);
      }
      select.addEventListener("change", () => filter(input));
      const label = make("label", `${head.dataset.choice} `);
      label.append(select);
      input.closest(".filter").querySelector(".choices").append(label);
    }
    input.addEventListener("input", () => filter(input));
    filter(input);
  }

  // What is printed is whole.
  addEventListener("beforeprint", () => {
    all("tr[hidden]").forEach(row => { row.hidden = false; });
    all(".axis").forEach(drawAxis);
  });
  addEventListener("afterprint", () => filters.forEach(filter));

  const theme = document.getElementById("theme");
  const themes = ["", "light", "dark"];
  theme.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
    if (next) root.dataset.theme = next;
    else delete root.dataset.theme;
    theme.setAttribute("aria-label", `Colours: ${next || "as the system has them"}`);
  });

  drawMarks();
  readAddress();
  addEventListener("hashchange", readAddress);
  addEventListener("resize", () => {
    axes.forEach(drawAxis);
    drawMarks();
  });
})();
