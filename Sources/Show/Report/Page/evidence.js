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
// For who hears them one after the other; in the page itself it would take too much room.
all("button.event").filter(button => button.textContent === "evidence")
  .forEach(button => button.setAttribute("aria-label", `evidence of ${button.dataset.id}`));
