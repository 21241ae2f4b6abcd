// The pieces of the script stand in one function, in the order in which `PageFiles` puts them together.

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
