"use strict";
// Sorting and finding. The page says all that it has to say without this.
for (const tools of document.querySelectorAll(".tools")) {
  const table = document.getElementById(tools.dataset.for), more = document.getElementById(tools.dataset.for + "-rest");
  const body = table.tBodies[0], rest = more?.tBodies[0], fold = more?.closest("details"), heads = Array.from(table.tHead.rows[0].cells);
  const room = body.rows.length;
  let rows = Array.from(body.rows).concat(Array.from(rest?.rows ?? []));
  const key = (row, i) => i === 0 ? row.cells[0].textContent : row.cells[i].dataset.k;
  const noun = (n) => tools.dataset.row + (n === 1 ? "" : "s");
  const number = new Intl.Collator(undefined, { numeric: true });
  // What is looked for comes first: no more rows are unfolded than a browser lays out quickly.
  const place = () => {
    if (!rest) return;
    const found = rows.filter((r) => !r.hidden), left = found.length - room;
    // All rows at once: to take them out one by one, Chromium needs 19 s for 10,000 folded rows.
    body.replaceChildren();
    rest.replaceChildren();
    body.append(...found.slice(0, room));
    rest.append(...found.slice(room), ...rows.filter((r) => r.hidden));
    fold.hidden = left <= 0;
    fold.querySelector("summary").textContent = `${left} more ${noun(left)}`;
  };
  const sort = (i, down) => {
    const keyed = rows.map((r) => [r, key(r, i)]), filled = keyed.filter((k) => k[1] !== undefined), empty = keyed.filter((k) => k[1] === undefined);
    filled.sort((a, b) => i === 0 ? number.compare(a[1], b[1]) : a[1] - b[1]);
    if (down) filled.reverse();
    rows = filled.concat(empty).map((k) => k[0]);
    if (rest) place(); else body.append(...rows);
    heads.forEach((h, j) => j === i ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
  };
  heads.forEach((head, i) => {
    if ("fixed" in head.dataset) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(i, head.getAttribute("aria-sort") === "ascending"));
    head.replaceChildren(button);
  });
  const input = tools.querySelector("input"), select = tools.querySelector("select"), output = tools.querySelector("output");
  let names, cards;
  const find = () => {
    names ??= new Map(rows.map((r) => [r, r.cells[0].textContent.toLowerCase()]));
    cards ??= new Map(rows.map((r) => [r, r.cells[0].querySelector("th > a[href^='#']")]).filter((c) => c[1]).map(([r, a]) => [r, document.getElementById(a.hash.slice(1))?.closest("details")]));
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((w) => names.get(row).includes(w)) && (!select.value || row.classList.contains(select.value));
      row.hidden = !fits;
      const card = cards.get(row);
      if (card) card.hidden = !fits;
      shown += fits;
    }
    place();
    output.textContent = shown < rows.length ? `${shown} of ${rows.length} ${noun(rows.length)}` : "";
  };
  input.addEventListener("input", find);
  select.addEventListener("change", find);
  tools.hidden = false;
}
// A link may name what is to be found: #find=NAME.
const found = location.hash.match(/^#find=(.*)/);
if (found) {
  for (const input of document.querySelectorAll(".tools input")) {
    input.value = decodeURIComponent(found[1]);
    input.dispatchEvent(new Event("input"));
  }
  document.querySelector(".tools")?.scrollIntoView();
}
// What scrolls sideways can be reached by keyboard, and what does not is no stop on the way.
// What is folded is not asked: a browser would lay it out to answer.
const stops = () => {
  const shown = Array.from(document.querySelectorAll("figure, .tables")).filter((f) => !f.closest("details:not([open])"));
  const wide = shown.map((f) => f.scrollWidth > f.clientWidth + 1);
  shown.forEach((f, i) => { if (wide[i]) f.tabIndex = 0; else f.removeAttribute("tabindex"); });
};
stops();
addEventListener("resize", stops);
addEventListener("toggle", stops, true);
// Paper cannot be unfolded.
const folded = [];
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((d) => { folded.push(d); d.open = true; }));
addEventListener("afterprint", () => folded.splice(0).forEach((d) => { d.open = false; }));
