"use strict";
// Sorting and finding. The page says all that it has to say without this.
for (const tools of document.querySelectorAll(".tools")) {
  const table = document.getElementById(tools.dataset.for);
  const body = table.tBodies[0], rows = Array.from(body.rows), heads = Array.from(table.tHead.rows[0].cells);
  const key = (row, i) => i === 0 ? row.cells[0].textContent : row.cells[i].dataset.k;
  const number = new Intl.Collator(undefined, { numeric: true });
  const sort = (i, down) => {
    const filled = rows.filter((r) => key(r, i) !== undefined), empty = rows.filter((r) => key(r, i) === undefined);
    filled.sort((a, b) => i === 0 ? number.compare(key(a, i), key(b, i)) : key(a, i) - key(b, i));
    if (down) filled.reverse();
    body.append(...filled, ...empty);
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
  const names = rows.map((r) => r.cells[0].textContent.toLowerCase());
  const find = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      const fits = words.every((w) => names[i].includes(w)) && (!select.value || row.classList.contains(select.value));
      row.hidden = !fits;
      shown += fits;
    });
    output.textContent = shown < rows.length ? `${shown} of ${rows.length} cases` : "";
  };
  input.addEventListener("input", find);
  select.addEventListener("change", find);
  tools.hidden = false;
}
// Paper cannot be unfolded.
const folded = [];
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((d) => { folded.push(d); d.open = true; }));
addEventListener("afterprint", () => folded.splice(0).forEach((d) => { d.open = false; }));
