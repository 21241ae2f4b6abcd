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
