// What stands around the graph: outline, search results, details, text of the program.

import { FAMILY_NAMES, heat, heatOf } from "./colors.js";
import { subtitle } from "./layout.js";
import { highlighted, List, make } from "./lists.js";
import { GROUPS, PORTS } from "./model.js";

const LISTED = 12; // neighbors, functions, kinds of operations in the details before "show all"
const SLACK = 3; // as many more are shown at once
const SMALL = 8; // operations of a region that the outline leaves out

// ---- outline: boxes that hold others

export class Outline {
  constructor(element, model, page) {
    this.model = model;
    this.page = page;
    this.rows = [];
    this.element = element;
    this.list = new List(element, 26, (row, i) => this.fill(row, i));
    element.addEventListener("click", (event) => {
      const i = this.list.indexOf(event);
      if (i < 0) return;
      if (event.target.className === "twist") page.toggle(this.rows[i][0]);
      else page.go(this.rows[i][0]);
    });
    element.addEventListener("keydown", (event) => this.key(event));
  }

  update() {
    const { model, page } = this;
    this.rows = [];
    const pending = [[0, -1]];
    while (pending.length) {
      const [id, depth] = pending.pop();
      if (id) this.rows.push([id, depth]);
      if (!page.layouts.isOpen(id)) continue;
      for (const child of [...model.children[id]].reverse()) if (model.isOpenable(child) && (model.kind(child) !== "op" || model.operations[child] >= SMALL)) pending.push([child, depth + 1]);
    }
    this.list.reset(this.rows.length);
  }

  fill(row, i) {
    const { model, page } = this;
    const [id, depth] = this.rows[i];
    const open = page.layouts.isOpen(id);
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-expanded", String(open));
    row.setAttribute("aria-level", String(depth + 1));
    row.style.paddingLeft = `${8 + depth * 14}px`;
    if (id === page.state.selected) { row.classList.add("chosen"); row.setAttribute("aria-selected", "true"); }
    row.append(make("span", "twist", open ? "▼" : "▶"), swatch(page, id), make("span", "name", model.shortLabel(id)));
    const overlay = page.state.overlay?.textOf(id);
    row.append(make("span", "count", overlay || sizeOf(model, id).toLocaleString("en")));
  }

  key(event) {
    const at = this.rows.findIndex(([id]) => id === this.page.state.selected);
    const id = at >= 0 ? this.rows[at][0] : -1;
    const { page } = this;
    if (event.key === "ArrowDown" && this.rows[at + 1]) page.go(this.rows[at + 1][0]);
    else if (event.key === "ArrowUp" && this.rows[at - 1]) page.go(this.rows[at - 1][0]);
    else if (event.key === "ArrowRight" && id >= 0 && !page.layouts.isOpen(id)) page.toggle(id);
    else if (event.key === "ArrowLeft" && id >= 0) page.layouts.isOpen(id) ? page.toggle(id) : page.go(this.model.parent(id));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  follow() {
    const at = this.rows.findIndex(([id]) => id === this.page.state.selected);
    if (at >= 0) this.list.reveal(at);
    else this.list.show();
  }
}

function sizeOf(model, id) { return model.kind(id) === "arguments" ? model.children[id].length : model.operations[id]; }

function swatch(page, id) {
  const { model, state } = page;
  const mark = make("span", "swatch");
  const kind = model.kind(id);
  const hot = state.overlay && heatOf(state.overlay, id, state.theme);
  const family = kind === "op" ? model.family(model.label(id)) : kind === "scope" ? "control" : kind === "function" ? "accent" : "muted";
  mark.style.background = hot || `var(--${PORTS.has(kind) ? "edge" : kind === "argument" || kind === "constant" ? kind : family})`;
  return mark;
}

// ---- search results

export class Results {
  constructor(element, model, page) {
    this.model = model;
    this.page = page;
    this.found = [];
    this.list = new List(element, 42, (row, i) => this.fill(row, i));
    element.addEventListener("click", (event) => {
      const i = this.list.indexOf(event);
      if (i >= 0) page.pick(i);
    });
  }

  update(found) {
    this.found = found;
    this.list.reset(found.length);
  }

  fill(row, i) {
    const { model } = this;
    const id = this.found[i];
    row.setAttribute("role", "option");
    if (id === this.page.state.selected) row.classList.add("chosen");
    const names = model.results(id).map((v) => model.valueName(v)).join(", ");
    const where = [names, model.detail(id), model.origin(id), model.line(id) ? `line ${model.line(id)}` : ""];
    row.append(make("span", "name", model.shortLabel(id)), make("span", "where", where.filter(Boolean).join(" · ")));
  }
}

// ---- text of the program

export class Source {
  constructor(element, name, model, page) {
    this.model = model;
    this.page = page;
    name.textContent = model.source.name;
    this.list = new List(element, 18, (row, i) => this.fill(row, i));
    this.list.reset(model.source.lines.length);
    element.addEventListener("click", (event) => {
      const id = model.byLine.get(this.list.indexOf(event) + 1);
      if (id !== undefined && !getSelection().toString()) page.go(id);
    });
  }

  fill(row, i) {
    if (this.model.byLine.has(i + 1)) row.classList.add("op");
    const { selected } = this.page.state;
    if (selected > 0 && this.model.line(selected) === i + 1) row.classList.add("chosen");
    const code = make("span");
    row.append(make("span", "no", String(i + 1)), code);
    highlighted(code, this.model.source.lines[i]);
  }

  follow(id) {
    if (id > 0 && this.model.line(id)) this.list.reveal(this.model.line(id) - 1);
    else this.list.show();
  }
}

// ---- details of what is selected

export function showDetails(element, model, page) {
  const id = page.state.selected;
  element.replaceChildren(...(id > 0 ? details(id, model, page) : overview(model, page)));
  element.scrollTop = 0;
}

function overview(model, page) {
  const parts = [make("h2", "", model.title), make("div", "sub", `${model.operations[0].toLocaleString("en")} operations in ${counted(model.functions.size, "function")}`)];
  parts.push(...section("Functions", listed([...model.functions.values()], (id) => link(page, id, model.label(id), `${model.operations[id].toLocaleString("en")} ops`))));
  parts.push(...section("Operations", bars(model, model.histogram(0))));
  const families = make("div", "families");
  for (const [family, name] of Object.entries(FAMILY_NAMES)) {
    const row = make("div");
    const mark = make("i");
    mark.style.background = `var(--${family})`;
    row.append(mark, make("span", "", name));
    families.append(row);
  }
  parts.push(...section("Colors", [families]));
  return parts;
}

function details(id, model, page) {
  const kind = model.kind(id);
  const parts = [make("h2", "", PORTS.has(kind) ? model.valueName(model.boxes.value[id]) : model.label(id))];
  parts.push(make("div", "sub", described(id, model)));
  const actions = make("div", "actions");
  if (model.isOpenable(id)) actions.append(action(page.layouts.isOpen(id) ? "Fold" : "Unfold", () => page.toggle(id)));
  if (kind !== "function") {
    actions.append(action("What it depends on", () => page.showCone("inputs")), action("What depends on it", () => page.showCone("outputs")));
  }
  parts.push(actions);
  for (const overlay of model.overlays) if (overlay.has(id)) {
    parts.push(...section(overlay.name, [make("div", "mono", overlay.textOf(id))]));
  }
  parts.push(...section("Calls", model.callees(id).map((name) => link(page, model.functions.get(name), name, ""))));
  if (PORTS.has(kind)) parts.push(...port(id, model, page));
  parts.push(...section("Results", listed(model.results(id), (v) => pair(model.valueName(v), model.valueType(v)))));
  parts.push(...section("Operands", listed(model.operands(id), (v) => link(page, model.maker[v], model.valueName(v), model.valueType(v)))));
  if (!model.operands(id).length && kind !== "argument") parts.push(...section("Comes from", neighbors(model.inputs(id), model, page)));
  parts.push(...section("Used by", neighbors(model.outputs(id), model, page)));
  const attributes = model.attributes(id);
  if (attributes.length) {
    const table = make("dl");
    for (const [name, value] of attributes) table.append(make("dt", "", name), make("dd", "mono", value));
    parts.push(...section("Attributes", [table]));
  }
  if (model.isOpenable(id) && model.operations[id] > 1) parts.push(...section("Operations", bars(model, model.histogram(id))));
  if (kind === "argument" && model.detail(id)) parts.push(...section("Name", [make("div", "mono", model.detail(id))]));
  if (model.origin(id)) parts.push(...section("Origin", [make("div", "mono", model.origin(id))]));
  parts.push(...section("Call stack", model.frames(id).map((each) => make("div", "frame mono", each))));
  return parts;
}

function described(id, model) {
  const kind = model.kind(id);
  const words = { scope: "scope of the source", piece: "part of a long list", region: "region", function: "function", argument: "argument", arguments: "", in: "value that enters", out: "value that leaves" };
  const parts = [words[kind] || (model.results(id).map((v) => model.valueName(v)).join(", "))];
  if (kind === "arguments") parts.push(subtitle(model, id));
  else if (GROUPS.has(kind)) parts.push(`${model.operations[id].toLocaleString("en")} operations`);
  else if (model.number(id) >= 0) parts.push(`operation ${model.number(id)}`);
  if (model.line(id)) parts.push(`line ${model.line(id)}`);
  return parts.filter(Boolean).join(" · ");
}

function port(id, model, page) {
  const value = model.boxes.value[id];
  const maker = model.maker[value];
  return [
    ...section("Type", [make("div", "mono", model.valueType(value))]),
    ...section("Made by", maker >= 0 ? [link(page, maker, model.shortLabel(maker), model.detail(maker))] : []),
    ...section("Used by", neighbors(model.users[value], model, page)),
  ];
}

function neighbors(ids, model, page) {
  return listed(ids, (each) => link(page, each, model.shortLabel(each), [model.results(each).map((v) => model.valueName(v))[0], model.detail(each)].filter(Boolean).join(" · ")));
}

function bars(model, histogram) {
  const most = histogram.length ? histogram[0][1] : 0;
  return listed(histogram, ([name, count]) => {
    const bar = make("div", "bar");
    const mark = make("i");
    mark.style.width = `${(100 * count) / most}%`;
    mark.style.background = `var(--${model.family(name)})`;
    bar.append(make("span", "mono", name), make("span", "", count.toLocaleString("en")), mark);
    return bar;
  });
}

// The first elements of a long list, and a button that shows the others in its place.
function listed(items, element) {
  if (items.length <= LISTED + SLACK) return items.map(element);
  const rest = items.slice(LISTED);
  const more = action(`Show all ${items.length.toLocaleString("en")}`, () => more.replaceWith(...rest.map(element)));
  more.className = "more";
  return [...items.slice(0, LISTED).map(element), more];
}

function section(title, parts) {
  return parts.length ? [make("h3", "", title), ...parts] : [];
}

function pair(name, text) {
  const row = make("div", "mono");
  row.append(make("span", "t-value", name), ` ${text}`);
  row.style.overflowWrap = "anywhere";
  return row;
}

function link(page, id, name, what) {
  const button = make("button", "link mono");
  button.append(make("span", "name", name), make("span", "what", what));
  if (id === undefined || id < 0) button.disabled = true;
  else button.addEventListener("click", () => page.go(id));
  return button;
}

function action(text, run) {
  const button = make("button", "", text);
  button.addEventListener("click", run);
  return button;
}

export function counted(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

// ---- legend

export function showLegend(element, overlay, theme) {
  element.hidden = !overlay;
  if (!overlay) return;
  const title = make("b", "", overlay.unit && overlay.scale !== "flag" ? `${overlay.name} (${overlay.unit})` : overlay.name);
  if (overlay.scale === "flag") {
    element.replaceChildren(title, key(heat(1, theme), "found"), key(heat(0, theme), "none"));
    return;
  }
  const ramp = make("div", "ramp");
  for (let i = 0; i < 24; i++) {
    const step = make("i");
    step.style.background = heat(i / 23, theme);
    ramp.append(step);
  }
  const ends = make("div", "ends");
  ends.append(make("span", "", overlay.text(overlay.scale === "log" ? overlay.low : Math.min(overlay.low, 0))), make("span", "", overlay.text(overlay.high)));
  element.replaceChildren(title, ramp, ends);
  if (overlay.bad.size) element.append(key(heatOf({ bad: new Set([0]) }, 0, theme), "not finite"));
}

function key(color, text) {
  const row = make("div", "key");
  const mark = make("i");
  mark.style.background = color;
  row.append(mark, make("span", "", text));
  return row;
}
