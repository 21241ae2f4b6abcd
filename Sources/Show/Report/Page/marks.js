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

// Those in the range that is shown; a group stands at its first mark.
function groups(list, pixels, fieldWidth) {
  const steps = pixels * 1e6 * (view.to - view.from) / fieldWidth;
  const found = [];
  for (const mark of list) {
    const last = found.at(-1);
    if (last && mark.place - last[0].place < steps) last.push(mark);
    else found.push([mark]);
  }
  return found.filter(group => group.at(-1).place >= view.from * 1e6 && group[0].place <= view.to * 1e6);
}

const grouped = number => number.toLocaleString("en").replace(/,/g, "\u00a0");
const kinds = words => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) || 0) + 1);
  return Array.from(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([word, count]) => `${grouped(count)} ${word}`).join(", ");
};
const clockAt = place => clock(timeAt(place / 1e6)).slice(0, 8);
// What begins before the range that is shown stands where that begins.
const placed = (element, place) => {
  element.style.setProperty("--t", Math.max(view.from, place / 1e6));
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
  mark.style.setProperty("--w", last / 1e6 - Math.max(view.from, first / 1e6));
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
