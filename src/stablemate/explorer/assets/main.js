// The page: what is selected, what is unfolded, what is shown of it where.

import { Canvas } from "./canvas.js";
import { Controls } from "./controls.js";
import { Layouts } from "./layout.js";
import { get, make } from "./lists.js";
import { Model, overlayOf, PORTS, Search } from "./model.js";
import { counted, Outline, Results, showDetails, showLegend, Source } from "./panels.js";

const AT_FIRST = 70; // boxes that are unfolded at first, about
const AT_ONCE = 3000; // boxes that "unfold all inside" may add
const CLOSE = 0.75; // scale at which a selected box is shown

const KEYS = [
  ["/", "search; Enter goes through the results"],
  ["Enter, Space", "unfold or fold"],
  ["↑ ↓", "to what makes the first operand, to the first user"],
  ["← →", "to the neighbors in the row"],
  ["Backspace", "to the box around it"],
  ["[ ]", "back and forward"],
  ["i, u", "show only what it depends on, what depends on it"],
  ["e, c", "unfold all inside, fold all inside"],
  ["f, z", "show all, show what is selected"],
  ["+ − 0", "closer, farther, real size"],
  ["o", "next coloring"],
  ["b, s, t", "outline, source, light or dark"],
  ["Escape", "clear"],
];

class Page extends Controls {
  constructor(document_) {
    super();
    this.model = new Model(document_);
    this.state = { selected: 0, hovered: -1, matches: null, cone: null, overlay: null, theme: "light" };
    this.history = [];
    this.future = [];
    this.canvas = new Canvas(get("graph"), this.model, null, this.state);
    this.layouts = new Layouts(this.model, (text, style) => this.canvas.width_(text, style));
    this.canvas.layouts = this.layouts;
    this.search = new Search(this.model);
    this.found = [];
    this.foundAt = -1;
    this.outline = new Outline(get("tree"), this.model, this);
    this.results = new Results(get("results"), this.model, this);
    this.source = new Source(get("lines"), get("source-name"), this.model, this);
    get("title").textContent = this.model.title;
    get("summary").textContent = `${counted(this.model.operations[0], "operation")} · ${counted(this.model.functions.size, "function")}`;
    document.title = `${this.model.title} · stablemate`;
    this.setTheme(remembered("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    if (innerWidth <= 1050) get("main").classList.add("no-outline");
    if (!this.model.source.lines.some(Boolean)) this.toggleSource();
    this.listen();
    this.openAtFirst();
    this.canvas.resize();
    this.start();
    this.outline.update();
    this.offerOverlays();
    this.showSelected();
  }

  // ---- what is unfolded

  openAtFirst() {
    const { model, layouts } = this;
    const [first] = model.children[0];
    let level = first === undefined ? [] : [first];
    let count = 0;
    while (level.length) {
      count += level.reduce((sum, id) => sum + model.children[id].length, 0);
      if (level[0] !== first && count > AT_FIRST) break;
      for (const id of level) layouts.setOpen(id, true);
      level = level.flatMap((id) => model.children[id]).filter((id) => model.isOpenable(id) && !["op", "arguments"].includes(model.kind(id)));
    }
  }

  // All of it if that can be read, else its beginning.
  start() {
    const { canvas } = this;
    const first = this.model.children[0][0];
    const rect = (first !== undefined && canvas.rect(first)) || canvas.whole();
    canvas.fit({ x: 0, y: 0, ...rect });
    if (canvas.camera.scale < 0.4) {
      const main = this.model.children[first].find((each) => ["op", "scope", "piece"].includes(this.model.kind(each)));
      const middle = (main !== undefined && canvas.rect(main)) || rect;
      const w = Math.min(rect.w, canvas.width / 0.75);
      canvas.fit({ x: Math.max(rect.x - 24, middle.x + middle.w / 2 - w / 2), y: rect.y, w, h: canvas.height / 0.75 }, 1, 0);
    }
  }

  toggle(id) {
    if (!this.model.isOpenable(id) || id === 0) return;
    const before = this.canvas.rect(id);
    this.layouts.setOpen(id, !this.layouts.isOpen(id));
    const after = this.canvas.rect(id);
    if (before && after) { // the middle of its upper edge stays where it is
      this.canvas.camera.x += after.x + after.w / 2 - before.x - before.w / 2;
      this.canvas.camera.y += after.y - before.y;
    }
    this.select(id, { quiet: true });
    this.outline.update();
    this.outline.follow();
  }

  setInside(id, open) {
    const { model, layouts } = this;
    const inside = model.inside(id).filter((each) => model.isOpenable(each) && each);
    let count = 0;
    for (const each of open ? inside : inside.reverse()) {
      if (open && (count += model.children[each].length) > AT_ONCE) break;
      if (open || each !== id) layouts.setOpen(each, open);
    }
    this.outline.update();
    this.select(id, { quiet: true });
    this.center(id);
  }

  // ---- what is selected

  select(id, { quiet = false } = {}) {
    if (id !== this.state.selected && !quiet) {
      this.history.push(this.state.selected);
      this.future = [];
    }
    this.state.selected = id;
    this.showSelected();
  }

  showSelected() {
    const id = this.state.selected;
    showDetails(get("details"), this.model, this);
    this.outline.follow();
    this.results.list.show();
    this.source.follow(id);
    this.showCrumbs();
    get("announce").textContent = id > 0 ? this.model.label(id) : "";
    this.redraw();
  }

  // Unfolds what is around a box, selects it and brings it into view.
  go(id, options) {
    if (id === undefined || id < 0) return;
    let changed = false;
    for (const each of this.model.ancestors(id).slice(1)) if (!this.layouts.isOpen(each)) {
      this.layouts.setOpen(each, true);
      changed = true;
    }
    if (changed) this.outline.update();
    this.select(id, options);
    this.center(id);
  }

  center(id) {
    const { canvas } = this;
    const rect = canvas.rect(id);
    if (!rect) return;
    const { camera } = canvas;
    const inView = rect.x > camera.x && rect.y > camera.y && rect.x + rect.w < camera.x + canvas.width / camera.scale && rect.y + rect.h < camera.y + canvas.height / camera.scale;
    if (inView && camera.scale >= 0.5) return this.redraw();
    if (rect.h > canvas.height / CLOSE || rect.w > canvas.width / CLOSE) canvas.fit(rect, 1);
    else {
      camera.scale = Math.max(camera.scale, CLOSE);
      camera.x = rect.x + rect.w / 2 - canvas.width / 2 / camera.scale;
      camera.y = rect.y + rect.h / 2 - canvas.height / 2 / camera.scale;
    }
    this.redraw();
  }

  back(from, to) {
    const id = from.pop();
    if (id === undefined) return;
    to.push(this.state.selected);
    this.go(id, { quiet: true });
  }

  showCone(direction) {
    const { selected } = this.state;
    if (selected <= 0) return;
    const cone = this.model.cone(selected, direction);
    for (const each of [...cone]) for (const around of this.model.ancestors(each)) cone.add(around);
    this.state.cone = cone;
    this.redraw();
  }

  showCrumbs() {
    const { selected } = this.state;
    const path = selected > 0 ? this.model.ancestors(selected).reverse().slice(1) : [];
    get("crumbs").replaceChildren(...path.map((id) => {
      const button = make("button", "", PORTS.has(this.model.kind(id)) ? this.model.valueName(this.model.boxes.value[id]) : this.model.shortLabel(id));
      button.addEventListener("click", () => this.go(id));
      return button;
    }));
  }

  // ---- search

  find(query) {
    this.found = this.search.find(query);
    this.foundAt = -1;
    this.state.matches = null;
    if (this.found.length) {
      this.state.matches = new Map(); // of a box that holds what was found: false
      for (const id of this.found) for (const each of this.model.ancestors(id)) {
        if (each === id || !this.state.matches.has(each)) this.state.matches.set(each, each === id);
      }
    }
    get("found").textContent = query ? String(this.found.length) : "";
    this.results.update(this.found);
    this.showTab(query ? "results" : "outline");
    this.redraw();
  }

  pick(i) {
    this.foundAt = (i + this.found.length) % this.found.length;
    get("found").textContent = `${this.foundAt + 1}/${this.found.length}`;
    this.go(this.found[this.foundAt]);
    this.results.list.reveal(this.foundAt);
  }

  showTab(name) {
    for (const each of ["outline", "results"]) get(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    get("tree").hidden = name !== "outline";
    get("results").hidden = name !== "results";
    if (name === "outline") this.outline.list.show();
    else this.results.list.show();
  }

  // ---- overlays, themes, panels

  offerOverlays() {
    const { overlays } = this.model;
    const select = get("overlay");
    const option = (value, text) => { const each = make("option", "", text); each.value = value; return each; };
    select.replaceChildren(option("", "operations"), ...overlays.map((each, i) => option(String(i), each.name)), option("file", "from a file…"));
    get("choose-overlay").hidden = false;
    if (overlays.length) this.setOverlay(overlays.length - 1 < 0 ? null : 0);
  }

  setOverlay(i) {
    this.state.overlay = i === null ? null : this.model.overlays[i];
    get("overlay").value = i === null ? "" : String(i);
    showLegend(get("legend"), this.state.overlay, this.state.theme);
    this.outline.list.show();
    this.redraw();
  }

  // A file that people choose; nothing leaves the page.
  async takeOverlays(file) {
    try {
      const found = JSON.parse(await file.text());
      for (const each of Array.isArray(found) ? found : [found]) this.model.overlays.push(overlayOf(this.model, each));
      this.offerOverlays();
      this.setOverlay(this.model.overlays.length - 1);
    } catch {
      get("announce").textContent = `${file.name} holds no overlay.`;
    }
  }

  setTheme(theme) {
    this.state.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.canvas.takeColors();
    showLegend(get("legend"), this.state.overlay, theme);
    this.outline.list.show();
    this.redraw();
  }

  toggleTheme() {
    this.setTheme(this.state.theme === "dark" ? "light" : "dark");
    remember("theme", this.state.theme);
  }

  toggleSource() {
    get("source").hidden = get("handle").hidden = !get("source").hidden;
    get("toggle-source").setAttribute("aria-pressed", String(!get("source").hidden));
    this.source.list.show();
  }

  toggleOutline() {
    get("main").classList.toggle("no-outline");
    this.outline.list.show();
  }

  toggleHelp() {
    const help = get("help");
    help.hidden = !help.hidden;
    if (help.firstChild) return;
    const inner = make("div");
    const list = make("dl");
    for (const [keys, what] of KEYS) {
      const term = make("dt");
      for (const each of keys.split(", ")) term.append(make("kbd", "", each), " ");
      list.append(term, make("dd", "", what));
    }
    inner.append(make("h2", "", "Keys"), list);
    help.append(inner);
    help.addEventListener("click", () => { help.hidden = true; });
  }

  // ---- drawing

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.canvas.draw();
      this.drawMap();
    });
  }

  // The whole graph, small, with a frame around what is in view.
  drawMap() {
    const map = get("map");
    const { canvas } = this;
    const [w, h, ratio] = [map.clientWidth, map.clientHeight, devicePixelRatio || 1];
    if (!w) return;
    map.width = w * ratio;
    map.height = h * ratio;
    const c = map.getContext("2d");
    const whole = canvas.whole();
    const scale = Math.min((w - 8) / whole.w, (h - 8) / whole.h);
    const [dx, dy] = [(w - whole.w * scale) / 2, (h - whole.h * scale) / 2];
    this.mapping = { scale, dx, dy };
    c.setTransform(ratio * scale, 0, 0, ratio * scale, dx * ratio, dy * ratio);
    this.drawSmall(c, 0, 0, 0, scale, 0);
    const { camera } = canvas;
    c.strokeStyle = canvas.colors.accent;
    c.lineWidth = 1.5 / scale;
    c.strokeRect(camera.x, camera.y, canvas.width / camera.scale, canvas.height / camera.scale);
  }

  drawSmall(c, id, x, y, scale, depth) {
    const { canvas, layouts } = this;
    for (const [child, box] of layouts.of(id).at) {
      if (box.h * scale < 0.4 && box.w * scale < 0.4) continue;
      const open = layouts.isOpen(child);
      c.fillStyle = open ? canvas.colors[depth % 2 ? "group2" : "group"] : canvas.heat(child) || canvas.colors.edge;
      if (child === this.state.selected && !open) c.fillStyle = canvas.colors.accent;
      c.fillRect(x + box.x, y + box.y, Math.max(box.w, 0.7 / scale), Math.max(box.h, 0.7 / scale));
      if (open && box.h * scale > 3) this.drawSmall(c, child, x + box.x, y + box.y, scale, depth + 1);
    }
  }
}

// A page inside a notebook has no storage; it forgets.
function remembered(key) { try { return localStorage.getItem(`stablemate.${key}`); } catch { return null; } }
function remember(key, value) { try { localStorage.setItem(`stablemate.${key}`, value); } catch { /* it forgets */ } }

window.stablemate = new Page(JSON.parse(get("program").textContent));
