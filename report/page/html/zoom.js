"use strict";
// Values of points, and a closer look, in pictures whose points are in a row. The page says all that it has to say without this.
const pages = new Map(Array.from(document.querySelectorAll("td a[rel], th a[rel]"), (a) => [a.textContent, a.href]));
for (const svg of document.querySelectorAll("svg.steps")) {
  const plot = svg.querySelector("svg"), box = plot.viewBox.baseVal, left = box.x, whole = box.width, height = box.height;
  const placed = (path) => {
    const [x, y] = path.getAttribute("d").match(/[\d.]+/g).map(Number);
    return { path, drawn: path.getAttribute("d"), x, y, lines: path.querySelector("title").textContent.split("\n") };
  };
  const titled = (selector) => Array.from(plot.querySelectorAll(selector)).filter((p) => p.querySelector("title")).map(placed);
  const dots = titled(".case-dot path, path.case-dot, .base-dot path, path.base-dot").sort((a, b) => a.x - b.x);
  if (dots.length < 3) continue;
  const changes = titled("path.good, path.bad, path.faint"), last = dots.length - 1, step = (dots[last].x - dots[0].x) / last;
  const texts = Array.from(svg.querySelectorAll(":scope > text")).map((text) => ({ text, share: parseFloat(text.getAttribute("x")) / 100 }));
  const labels = texts.filter((l) => l.share >= 0), values = texts.filter((l) => l.share < 0).map((l) => l.text);
  const ends = ["from", "until"].map((name) => svg.querySelector("text." + name)), dates = ends.map((e) => e.textContent);
  const make = (name, attributes, parent) => {
    const e = parent === plot ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    parent.append(e);
    return e;
  };
  const tools = document.createElement("div");
  tools.className = "zoom";
  svg.after(tools);
  const slider = make("input", { type: "range", min: 0, max: last, value: last, "aria-label": "commit" }, tools);
  const reading = make("p", { class: "reading" }, tools);
  const needle = make("path", { class: "needle" }, plot), span = make("path", { class: "interval" }, plot);
  // In a closer look the greatest and the least value that are shown replace the labels of the axis, which are for all.
  const extremes = values.slice(0, 2).map((v) => svg.appendChild(v.cloneNode())), foot = make("path", { class: "axis" }, plot), grid = plot.querySelectorAll(".grid");
  const top = 28, bottom = height - 34;
  let from = left, width = whole, rise = 0, tall = height;
  const level = (y) => rise + (y * tall) / height;
  const button = (text, label, press) => {
    const b = make("button", { type: "button", "aria-label": label, title: label }, tools);
    b.textContent = text;
    b.addEventListener("click", press);
    return b;
  };
  const show = (start, wide) => {
    width = Math.min(whole, Math.max(wide, 5 * step));
    from = Math.min(left + whole - width, Math.max(left, start));
    const all = width === whole;
    const seen = dots.filter((d) => d.x >= from && d.x <= from + width).sort((a, b) => a.y - b.y), range = [seen[0], seen.at(-1)];
    rise = 0;
    tall = height;
    if (!all && seen.length) {
      tall = Math.max(height / 10, ((range[1].y - range[0].y) * height) / (bottom - top - 40));
      rise = (range[0].y + range[1].y) / 2 - (tall * (top + bottom)) / 2 / height;
    }
    plot.setAttribute("viewBox", `${from} ${rise} ${width} ${tall}`);
    foot.setAttribute("d", all ? "" : `M${from} ${level(bottom)}H${from + width}`);
    for (const c of changes) c.path.setAttribute("d", all ? c.drawn : `M${c.x} ${level(top - 10)}V${level(bottom + 6)}`);
    for (const e of [...values, ...grid]) e.style.display = all ? "" : "none";
    extremes.forEach((e, i) => {
      const dot = range[i], same = i > 0 && range[0]?.lines[0] === dot?.lines[0];
      e.style.display = all || !dot || same ? "none" : "";
      if (!dot) return;
      e.textContent = dot.lines[0];
      e.setAttribute("y", ((dot.y - rise) * height) / tall + 4);
    });
    plot.setAttribute("overflow", all ? "visible" : "hidden");
    for (const l of labels) {
      const x = ends.includes(l.text) ? l.share : (left + l.share * whole - from) / width;
      l.text.setAttribute("x", 100 * x + "%");
      l.text.style.display = x < 0 || x > 1 ? "none" : "";
    }
    seen.sort((a, b) => a.x - b.x);
    ends.forEach((e, i) => { e.textContent = all || !seen.length ? dates[i] : seen.at(-i).lines.at(-1); });
    pin();
    wider.disabled = everything.disabled = all;
    closer.disabled = width <= 5 * step;
  };
  const pin = () => needle.setAttribute("d", `M${dots[slider.value].x} ${level(top)}V${level(bottom)}`);
  const select = (i) => {
    const dot = dots[i], [value, commit, date] = dot.lines, change = changes.find((c) => c.x > dot.x - step && c.x < dot.x);
    const after = date ? `, ${date}` : "", what = change ? `: ${change.lines[0]}` : "";
    slider.value = i;
    slider.setAttribute("aria-valuetext", `${value} at ${commit}${after}${what}`);
    reading.replaceChildren(value + " at ", commit, after + what);
    if (pages.has(commit)) {
      const a = document.createElement("a");
      a.href = pages.get(commit);
      a.rel = "noreferrer";
      a.textContent = commit;
      reading.childNodes[1].replaceWith(a);
    }
    pin();
    if (dot.x < from || dot.x > from + width) show(dot.x - width / 2, width);
  };
  const scale = (factor) => show(dots[slider.value].x - (width * factor) / 2, width * factor);
  const closer = button("+", "closer", () => scale(0.5)), wider = button("−", "wider", () => scale(2)), everything = button("all", "all commits", () => show(left, whole));
  slider.addEventListener("input", () => select(+slider.value));
  slider.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const press = { "+": closer, "=": closer, "-": wider, 0: everything, Escape: everything }[e.key];
    if (!press) return;
    e.preventDefault();
    press.click();
  });
  // The pointer shows the nearest point, and what it is drawn across is looked at more closely.
  const at = (e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(plot.getScreenCTM().inverse()).x;
  let start = null;
  svg.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    start = at(e);
    svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => {
    const x = at(e);
    let nearest = 0;
    dots.forEach((d, i) => { if (Math.abs(d.x - x) < Math.abs(dots[nearest].x - x)) nearest = i; });
    if (dots[nearest].x >= from && dots[nearest].x <= from + width) select(nearest);
    span.setAttribute("d", start === null || Math.abs(x - start) < 2 * step ? "" : `M${start} ${level(top)}H${x}V${level(bottom)}H${start}z`);
  });
  const end = (e) => {
    const x = at(e);
    if (e.type === "pointerup" && start !== null && Math.abs(x - start) >= 2 * step) show(Math.min(start, x), Math.abs(x - start));
    start = null;
    span.setAttribute("d", "");
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("dblclick", () => show(left, whole));
  select(last);
  show(left, whole);
}
