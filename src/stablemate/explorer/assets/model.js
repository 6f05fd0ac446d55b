// A program as the page knows it: boxes in a tree, values between them, overlays on top.
// Reads the tables that document.py writes; nothing here touches the page.

export const PORTS = new Set(["in", "out"]);
export const GROUPS = new Set(["function", "region", "scope", "piece", "arguments"]); // what is more than one operation

export class Model {
  constructor(document) {
    this.texts = document.texts;
    this.boxes = document.boxes;
    this.values = document.values;
    this.layouts = document.layouts;
    this.source = document.source;
    this.families = document.families;
    this.title = document.title;
    this.count = this.boxes.kind.length;
    this.children = Array.from({ length: this.count }, () => []);
    for (let id = 1; id < this.count; id++) this.children[this.boxes.parent[id]].push(id);
    this.maker = new Int32Array(this.values.name.length).fill(-1);
    this.users = Array.from(this.maker, () => []);
    this.byNumber = new Map();
    this.byLine = new Map();
    this.functions = new Map();
    this.operations = new Int32Array(this.count);
    this.read();
    this.overlays = document.overlays.map((each) => new Overlay(this, each));
  }

  read() {
    const { kind, number, line, parent } = this.boxes;
    for (let id = 0; id < this.count; id++) {
      if (number[id] >= 0) this.byNumber.set(number[id], id);
      if (line[id] && !this.byLine.has(line[id])) this.byLine.set(line[id], id);
      if (kind[id] === "function") this.functions.set(this.label(id), id);
      for (const value of this.results(id)) this.maker[value] = id;
      for (const value of new Set(this.operands(id))) this.users[value].push(id);
    }
    for (let id = this.count - 1; id > 0; id--) {
      if (number[id] >= 0 && kind[id] !== "function") this.operations[id]++;
      this.operations[parent[id]] += this.operations[id];
    }
  }

  kind(id) { return this.boxes.kind[id]; }
  label(id) { return this.texts[this.boxes.label[id]]; }
  parent(id) { return this.boxes.parent[id]; }
  number(id) { return this.boxes.number[id]; }
  line(id) { return this.boxes.line[id]; }
  detail(id) { return this.boxes.detail[id] ? this.texts[this.boxes.detail[id]] : ""; }
  origin(id) { return this.boxes.origin[id] ? this.texts[this.boxes.origin[id]] : ""; }
  operands(id) { return this.boxes.operands[id] || []; }
  results(id) { return this.boxes.results[id] || []; }
  frames(id) { return (this.boxes.frames[id] || []).map((each) => this.texts[each]); }
  callees(id) { return (this.boxes.callees[id] || []).map((each) => this.texts[each]); }
  valueName(value) { return this.texts[this.values.name[value]]; }
  valueType(value) { return this.texts[this.values.type[value]]; }
  family(name) { return this.families[name] || "elementwise"; }
  isOpenable(id) { return id in this.layouts; }

  // The name without its dialect, as it stands on a box.
  shortLabel(id) {
    const label = this.label(id);
    return GROUPS.has(this.kind(id))
      ? label : label.replace(/^(stablehlo|chlo|func|arith|vhlo)\./, "");
  }

  attributes(id) {
    const flat = this.boxes.attributes[id] || [];
    const pairs = [];
    for (let i = 0; i < flat.length; i += 2) pairs.push([this.texts[flat[i]], this.texts[flat[i + 1]]]);
    return pairs;
  }

  // The box, and the boxes around it, innermost first.
  ancestors(id) {
    const found = [];
    for (let each = id; each >= 0; each = this.parent(each)) found.push(each);
    return found;
  }

  // Boxes that make what a box takes, and that take what it makes; of a box of several operations
  // those outside of it.
  inputs(id) { return this.neighbors(id, (each) => this.operands(each).map((v) => this.maker[v])); }
  outputs(id) { return this.neighbors(id, (each) => this.results(each).flatMap((v) => this.users[v])); }

  neighbors(id, next) {
    const inside = new Set(this.inside(id));
    const found = new Set();
    for (const each of inside) for (const other of next(each)) if (other >= 0 && !inside.has(other)) found.add(other);
    return [...found];
  }

  inside(id) {
    const found = [id];
    for (let i = 0; i < found.length; i++) found.push(...this.children[found[i]]);
    return found;
  }

  // All operations that a box depends on ("inputs"), or that depend on it ("outputs").
  cone(id, direction) {
    const found = new Set(this.inside(id));
    const pending = [...found];
    const holders = (each) => this.ancestors(each).filter((box) => this.boxes.operands[box]);
    while (pending.length) {
      const each = pending.pop();
      const next = direction === "inputs"
        ? this.operands(each).map((v) => this.maker[v])
        : [...this.results(each).flatMap((v) => this.users[v]), ...holders(each)];
      for (const other of next) if (other >= 0 && !found.has(other)) {
        found.add(other);
        pending.push(other);
        if (direction === "inputs") for (const inner of this.inside(other)) if (!found.has(inner)) { found.add(inner); pending.push(inner); }
      }
    }
    return found;
  }

  // How often each operation occurs in a box, most frequent first.
  histogram(id) {
    const counts = new Map();
    for (const each of this.inside(id)) {
      if (this.number(each) < 0 || this.kind(each) === "function" || this.kind(each) === "argument") continue;
      counts.set(this.label(each), (counts.get(this.label(each)) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]);
  }
}

// ---- overlays

export class Overlay {
  constructor(model, overlay) {
    Object.assign(this, overlay);
    this.of = new Float64Array(model.count).fill(NaN); // by box; NaN where there is none
    this.bad = new Set(); // boxes with a value that is no finite number
    for (const [number, value] of Object.entries(overlay.values)) {
      const id = model.byNumber.get(Number(number));
      if (id === undefined) continue;
      if (typeof value === "number") this.of[id] = value;
      else this.bad.add(id);
    }
    this.join(model);
    this.range(model);
  }

  // Numbers of boxes that hold several operations: their sum or their largest.
  join(model) {
    const own = Float64Array.from(this.of);
    for (let id = model.count - 1; id > 0; id--) {
      const parent = model.parent(id);
      if (this.bad.has(id)) this.bad.add(parent);
      if (Number.isNaN(this.of[id]) || !Number.isNaN(own[parent])) continue;
      const before = this.of[parent];
      if (Number.isNaN(before)) this.of[parent] = this.of[id];
      else this.of[parent] = this.total === "max" ? Math.max(before, this.of[id]) : before + this.of[id];
    }
  }

  range(model) {
    this.low = Infinity;
    this.high = -Infinity;
    for (let id = 1; id < model.count; id++) {
      const value = this.of[id];
      if (Number.isNaN(value) || model.kind(id) === "function") continue;
      if (value > this.high) this.high = value;
      if (value < this.low && (this.scale !== "log" || value > 0)) this.low = value;
    }
    if (!(this.high >= this.low)) this.low = this.high = 0;
  }

  // Where a value stands on the scale, from 0 to 1.
  position(value) {
    if (this.scale === "flag") return value ? 1 : 0;
    if (this.scale === "log") {
      if (value <= 0) return 0;
      return this.high > this.low ? (Math.log(value) - Math.log(this.low)) / (Math.log(this.high) - Math.log(this.low)) : 1;
    }
    const low = Math.min(this.low, 0);
    return this.high > low ? (value - low) / (this.high - low) : 0;
  }

  text(value) { return quantity(value, this.unit); }

  textOf(id) {
    if (this.bad.has(id) && Number.isNaN(this.of[id])) return "not finite";
    return Number.isNaN(this.of[id]) ? "" : this.text(this.of[id]);
  }

  has(id) { return this.bad.has(id) || !Number.isNaN(this.of[id]); }
}

// Of kinds, as overlays.py has them: how colors follow numbers, how numbers of a box are joined.
const KINDS = { time: ["linear", "sum"], count: ["linear", "sum"], bytes: ["log", "sum"], flops: ["log", "sum"], error: ["log", "max"], magnitude: ["log", "max"], value: ["linear", "max"], nan: ["flag", "sum"] };

// The overlay in a file, as any tool writes it.
export function overlayOf(model, { name, unit = "", kind = "value", values }) {
  const [scale, total] = KINDS[kind];
  return new Overlay(model, { name: String(name ?? kind), unit: String(unit), kind, scale, total, values });
}

const STEPS = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
const SCALED = new Set(["s", "B", "bytes", "flop", "flops", "FLOP", "B/s", "FLOP/s"]);

// A number with three digits and its unit: 0.0021 s is 2.1 ms.
export function quantity(value, unit) {
  if (!SCALED.has(unit) || value === 0) return `${Number(value.toPrecision(3))} ${unit}`.trim();
  const step = STEPS.find(([size]) => Math.abs(value) >= size) || STEPS[STEPS.length - 1];
  const short = unit === "bytes" ? "B" : unit;
  return `${Number((value / step[0]).toPrecision(3))} ${step[1]}${short}`;
}

// ---- search

const FIELDS = {
  op: (m, id) => m.label(id),
  name: (m, id) => m.results(id).map((v) => m.valueName(v)).join(" "),
  type: (m, id) => [...m.results(id), ...m.operands(id)].map((v) => m.valueType(v)).join(" "),
  attr: (m, id) => `${m.detail(id)} ${m.attributes(id).map(([k, v]) => `${k}=${v}`).join(" ")}`,
  loc: (m, id) => `${m.origin(id)} ${m.frames(id).join(" ")}`,
  line: (m, id) => String(m.line(id)),
};

export class Search {
  constructor(model) {
    this.model = model;
    this.cache = {};
  }

  // The boxes that hold every word: anywhere, or in one field: "type:bf16 op:dot".
  find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).map(parsed);
    if (!words.length) return [];
    const found = [];
    for (let id = 0; id < this.model.count; id++) {
      if (!PORTS.has(this.model.kind(id)) && id > 0 && words.every(([field, word]) => this.holds(id, field, word))) found.push(id);
    }
    return found;
  }

  holds(id, field, word) {
    if (field === "line") return this.text(field, id) === word;
    if (field) return this.text(field, id).includes(word);
    return ["op", "name", "attr", "loc", "type"].some((each) => this.text(each, id).includes(word));
  }

  text(field, id) {
    const known = (this.cache[field] ||= new Array(this.model.count));
    return (known[id] ??= FIELDS[field](this.model, id).toLowerCase());
  }
}

function parsed(word) {
  const at = word.indexOf(":");
  const field = word.slice(0, at);
  return at > 0 && Object.hasOwn(FIELDS, field) && word.length > at + 1 ? [field, word.slice(at + 1)] : ["", word];
}
