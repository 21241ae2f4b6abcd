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
