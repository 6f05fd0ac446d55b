// What pointers and keys do to the page.

import { get, make } from "./lists.js";
import { PORTS } from "./model.js";

// The page is one of these: it has what is selected, and says how that changes.
export class Controls {
  listen() {
    const on = (id, event, run, options) => get(id).addEventListener(event, run, options);
    new ResizeObserver(() => { this.canvas.resize(); this.redraw(); }).observe(get("stage"));
    on("query", "input", () => this.find(get("query").value));
    on("query", "keydown", (event) => this.searchKey(event));
    on("tab-outline", "click", () => this.showTab("outline"));
    on("tab-results", "click", () => this.showTab("results"));
    on("toggle-outline", "click", () => this.toggleOutline());
    on("toggle-source", "click", () => this.toggleSource());
    on("toggle-theme", "click", () => this.toggleTheme());
    on("toggle-help", "click", () => this.toggleHelp());
    on("zoom-in", "click", () => this.zoom(1.3));
    on("zoom-out", "click", () => this.zoom(1 / 1.3));
    on("fit", "click", () => this.fitAll());
    on("overlay", "change", (event) => {
      if (event.target.value === "file") get("overlay-file").click();
      this.setOverlay(["", "file"].includes(event.target.value) ? null : Number(event.target.value));
    });
    on("overlay-file", "change", (event) => event.target.files.length && this.takeOverlays(event.target.files[0]));
    this.listenToGraph(on);
    this.listenToHandle(on);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  listenToGraph(on) {
    let grip = null;
    const points = new Map();
    const place = (event) => { const box = get("graph").getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    on("graph", "pointerdown", (event) => {
      get("graph").setPointerCapture(event.pointerId);
      points.set(event.pointerId, place(event));
      grip = { at: place(event), moved: false };
    });
    on("graph", "pointermove", (event) => {
      const at = place(event);
      if (!points.has(event.pointerId)) return this.hover(at);
      const before = points.get(event.pointerId);
      points.set(event.pointerId, at);
      const { camera } = this.canvas;
      if (points.size === 2) {
        const [other] = [...points].filter(([key]) => key !== event.pointerId).map(([, value]) => value);
        const length = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        this.canvas.zoom(length(at) / length(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
        grip.moved = true;
        return this.redraw();
      }
      if (!grip.moved && Math.hypot(at[0] - grip.at[0], at[1] - grip.at[1]) < 4) return;
      grip.moved = true;
      get("graph").classList.add("dragging");
      camera.x -= (at[0] - before[0]) / camera.scale;
      camera.y -= (at[1] - before[1]) / camera.scale;
      this.redraw();
    });
    const release = (event) => {
      points.delete(event.pointerId);
      get("graph").classList.remove("dragging");
      if (event.type === "pointerup" && grip && !grip.moved) this.click(...place(event));
    };
    on("graph", "pointerup", release);
    on("graph", "pointercancel", release);
    on("graph", "pointerleave", () => this.hover(null));
    on("graph", "dblclick", (event) => this.doubleClick(...place(event)));
    on("graph", "wheel", (event) => {
      event.preventDefault();
      const size = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey || !event.shiftKey) this.canvas.zoom(Math.exp(-event.deltaY * size * (event.ctrlKey ? 0.01 : 0.0016)), ...place(event));
      else this.canvas.camera.x += (event.deltaX || event.deltaY) * size / this.canvas.camera.scale;
      this.redraw();
    }, { passive: false });
    let mapped = false;
    const jump = (event) => {
      const box = get("map").getBoundingClientRect();
      const { scale, dx, dy } = this.mapping;
      const { camera, width, height } = this.canvas;
      camera.x = (event.clientX - box.left - dx) / scale - width / 2 / camera.scale;
      camera.y = (event.clientY - box.top - dy) / scale - height / 2 / camera.scale;
      this.redraw();
    };
    on("map", "pointerdown", (event) => { mapped = true; get("map").setPointerCapture(event.pointerId); jump(event); });
    on("map", "pointermove", (event) => mapped && jump(event));
    on("map", "pointerup", () => { mapped = false; });
  }

  listenToHandle(on) {
    let from = null;
    on("handle", "pointerdown", (event) => { from = [event.clientY, get("source").clientHeight]; get("handle").setPointerCapture(event.pointerId); });
    on("handle", "pointermove", (event) => {
      if (from) get("source").style.height = `${Math.max(60, Math.min(innerHeight - 200, from[1] + from[0] - event.clientY))}px`;
    });
    on("handle", "pointerup", () => { from = null; });
  }

  // A click selects; on a sign, on a folded group or on the header of an unfolded one it also
  // folds or unfolds.
  click(px, py) {
    const { canvas, model, layouts } = this;
    get("graph").focus({ preventScroll: true });
    const id = canvas.at(px, py);
    if (id === 0) return this.clear();
    const rect = canvas.rect(id);
    const { camera } = canvas;
    const [x, y] = [camera.x + px / camera.scale - rect.x, camera.y + py / camera.scale - rect.y];
    const onSign = model.isOpenable(id) && x > rect.w - 30 && y < (layouts.isOpen(id) ? 32 : rect.h);
    if (onSign || (model.isOpenable(id) && !layouts.isOpen(id) && model.kind(id) !== "op")) this.toggle(id);
    else this.select(id);
  }

  doubleClick(px, py) {
    const id = this.canvas.at(px, py);
    const callee = this.model.callees(id)[0];
    if (callee && this.model.functions.has(callee)) this.go(this.model.functions.get(callee));
    else if (this.model.kind(id) === "op") this.toggle(id);
  }

  hover(at) {
    const id = at ? this.canvas.at(...at) : -1;
    const hint = get("hint");
    if (id !== this.state.hovered) {
      this.state.hovered = id;
      get("graph").classList.toggle("over", id > 0);
      this.redraw();
      hint.hidden = id <= 0 || this.layouts.isOpen(id);
      if (!hint.hidden) this.fillHint(hint, id);
    }
    if (!hint.hidden) {
      hint.style.left = `${Math.min(at[0] + 14, this.canvas.width - hint.offsetWidth - 8)}px`;
      hint.style.top = `${at[1] + 18 + hint.offsetHeight > this.canvas.height ? at[1] - hint.offsetHeight - 10 : at[1] + 18}px`;
    }
  }

  fillHint(hint, id) {
    const { model, state } = this;
    const values = PORTS.has(model.kind(id)) ? [model.boxes.value[id]] : model.results(id).slice(0, 4);
    const lines = [model.detail(id), ...values.map((v) => `${model.valueName(v)} : ${model.valueType(v)}`)];
    const overlay = state.overlay?.textOf(id);
    if (overlay) lines.push(`${state.overlay.name}: ${overlay}`);
    if (model.origin(id)) lines.push(model.origin(id));
    hint.replaceChildren(make("b", "", model.label(id) || "value"), ...lines.filter(Boolean).map((line) => { const each = make("span", "mono", line); each.style.display = "block"; return each; }));
  }

  clear() {
    this.state.cone = null;
    this.select(0);
  }

  zoom(factor) {
    this.canvas.zoom(factor);
    this.redraw();
  }

  fitAll() {
    this.canvas.fit({ x: 0, y: 0, w: this.canvas.whole().w, h: this.canvas.whole().h });
    this.redraw();
  }

  fitSelected() {
    const rect = this.canvas.rect(this.canvas.shown(this.state.selected));
    if (rect) this.canvas.fit(rect, 1.3, 60);
    this.redraw();
  }

  searchKey(event) {
    if (event.key === "Enter" && this.found.length) this.pick(this.foundAt + (event.shiftKey ? -1 : 1));
    else if (event.key === "Escape") {
      get("query").value = "";
      this.find("");
      get("graph").focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  key(event) {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
    const run = this.keys()[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  keys() {
    const { selected } = this.state;
    const start = () => selected > 0 || this.go(this.model.children[0][0]);
    const along = (next) => () => start() === true && this.go(next(selected)[0]);
    return {
      "/": () => get("query").focus(),
      Enter: () => this.toggle(selected),
      " ": () => this.toggle(selected),
      ArrowUp: along((id) => (PORTS.has(this.model.kind(id)) ? [this.model.maker[this.model.boxes.value[id]]] : this.model.inputs(id))),
      ArrowDown: along((id) => (PORTS.has(this.model.kind(id)) ? this.model.users[this.model.boxes.value[id]] : this.model.outputs(id))),
      ArrowLeft: along((id) => this.beside(id, -1)),
      ArrowRight: along((id) => this.beside(id, 1)),
      Backspace: () => selected > 0 && this.go(this.model.parent(selected)),
      "[": () => this.back(this.history, this.future),
      "]": () => this.back(this.future, this.history),
      i: () => this.showCone("inputs"),
      u: () => this.showCone("outputs"),
      e: () => this.setInside(selected, true),
      c: () => this.setInside(selected, false),
      f: () => this.fitAll(),
      z: () => this.fitSelected(),
      "+": () => this.zoom(1.3),
      "=": () => this.zoom(1.3),
      "-": () => this.zoom(1 / 1.3),
      0: () => this.zoom(1 / this.canvas.camera.scale),
      o: () => this.nextOverlay(),
      b: () => this.toggleOutline(),
      s: () => this.toggleSource(),
      t: () => this.toggleTheme(),
      "?": () => this.toggleHelp(),
      Escape: () => { get("help").hidden = true; this.clear(); },
    };
  }

  beside(id, step) {
    const rows = this.model.layouts[this.model.parent(id)]?.rows || [];
    const row = (rows.find((each) => each.includes(id)) || []).filter((each) => each >= 0);
    return [row[row.indexOf(id) + step] ?? id];
  }

  nextOverlay() {
    const { overlays } = this.model;
    const at = overlays.indexOf(this.state.overlay);
    this.setOverlay(at + 1 < overlays.length ? at + 1 : null);
  }
}
