// Coordinates: rows and their order come with the program; how wide things are, and what is
// unfolded, is known here. Each box is laid out on its own, from the inside out, and remembered
// until something in it is folded or unfolded.

import { GROUPS, PORTS } from "./model.js";

export const HEADER = 30;
const PADDING = 18;
const GAP = 18; // between neighbors in a row
const LANE = 10; // between an edge that passes and its neighbors
const ROW = 36; // between rows
const SWEEPS = 8;
const TALL = 700; // height from which on rows may stand in several strips
const ASPECT = 1.5; // width to height of a box of several strips
const STRIPS = 8;
const CROSSING = 12; // edges from a strip to the next one, at most
const TRACK = 5; // between edges that run from strip to strip
const FAR_APART = 40; // between functions

export class Layouts {
  constructor(model, measure) {
    this.model = model;
    this.measure = measure; // (text, style) -> width
    this.open = new Set([0]);
    this.known = new Map();
    this.small = new Map();
  }

  isOpen(id) { return this.open.has(id) && this.model.isOpenable(id); }

  setOpen(id, open) {
    if (open) this.open.add(id);
    else this.open.delete(id);
    for (const each of this.model.ancestors(id)) this.known.delete(each);
  }

  // {w, h, at: Map of child -> {x, y, w, h}, edges}; positions from the box's own corner.
  of(id) {
    let found = this.known.get(id);
    if (!found) {
      found = this.made(id);
      this.known.set(id, found);
    }
    return found;
  }

  size(id) {
    if (this.isOpen(id)) return this.of(id);
    let found = this.small.get(id);
    if (!found) {
      found = this.folded(id);
      this.small.set(id, found);
    }
    return found;
  }

  folded(id) {
    const { model } = this;
    const kind = model.kind(id);
    if (PORTS.has(kind)) return { w: 9, h: 9 };
    const title = this.measure(model.shortLabel(id), kind === "op" || kind === "return" ? "title" : "group");
    const detail = this.measure(subtitle(model, id), "detail");
    if (kind === "argument") return { w: clamp(this.measure(model.shortLabel(id), "detail") + 22, 44, 200), h: 22 };
    if (kind === "constant") return { w: clamp(detail + 22, 36, 200), h: 22 };
    if (kind === "op" || kind === "return") {
      return { w: clamp(Math.max(title, Math.min(detail, 190)) + 30 + (model.isOpenable(id) ? 20 : 0), 76, 300), h: subtitle(model, id) ? 42 : 28 };
    }
    return { w: clamp(Math.max(title, detail) + 52, 130, 340), h: 46 };
  }

  made(id) {
    const { rows, edges } = this.model.layouts[id];
    const drawing = new Drawing(this, rows, edges);
    const top = id === 0;
    if (top) drawing.columns();
    else drawing.place();
    return drawing.framed(this.header(id), top ? 0 : PADDING, this.measure(this.model.shortLabel(id), "group") + 110);
  }

  header(id) { return id === 0 ? 0 : HEADER; }

  // Where a value enters or leaves an unfolded box: how far from its middle.
  offset(id, values, kind) {
    if (!this.isOpen(id)) return 0;
    const inner = this.of(id);
    let sum = 0;
    let count = 0;
    for (const child of this.model.children[id]) {
      if (this.model.kind(child) !== kind || !values.includes(this.model.boxes.value[child])) continue;
      const at = inner.at.get(child);
      sum += at.x + at.w / 2 - inner.w / 2;
      count++;
    }
    return count ? sum / count : 0;
  }
}

export function subtitle(model, id) {
  const kind = model.kind(id);
  if (kind === "arguments") return typesIn(model, id);
  if (GROUPS.has(kind)) return `${model.operations[id].toLocaleString("en")} ops`;
  if (kind === "argument") return model.results(id).map((v) => shortType(model.valueType(v))).join(", ");
  return model.detail(id);
}

// The type that all arguments in a box have, or how many there are.
function typesIn(model, id) {
  const types = new Set(model.children[id].flatMap((each) => model.results(each)).map((v) => model.valueType(v)));
  const [first] = types;
  return types.size === 1 ? shortType(first) : `${types.size.toLocaleString("en")} types`;
}

// tensor<4x8xf32> as it stands on an edge: 4x8xf32.
export function shortType(type) {
  const inner = /^tensor<([^<>]*)>$/.exec(type);
  const text = inner ? inner[1] : type.replace(/\{[\d,:A-Z()]*\}$/, "");
  return text.length > 34 ? `${text.slice(0, 33)}…` : text;
}

function clamp(value, low, high) { return Math.max(low, Math.min(high, value)); }

// ---- one box

class Drawing {
  constructor(layouts, rows, edges) {
    this.layouts = layouts;
    this.rows = rows.map((row, level) => row.map((id) => entry(layouts, id, level)));
    this.edges = edges;
    this.chains = this.linked();
  }

  // The entries that each edge passes, from its source to its target; null where it is cut.
  linked() {
    const at = new Map();
    const bends = new Map();
    for (const row of this.rows) for (const each of row) {
      if (each.id >= 0) at.set(each.id, each);
      else bends.set(~each.id, [...(bends.get(~each.id) || []), each]);
    }
    return this.edges.map(([source, target, ...values], edge) => {
      const a = at.get(source);
      const b = at.get(target);
      const from = this.layouts.offset(source, values, "out");
      const to = this.layouts.offset(target, values, "in");
      const cut = b.level - a.level > 1 && !bends.has(edge);
      const chain = [a, ...(bends.get(edge) || []), b];
      if (!cut) for (let i = 0; i + 1 < chain.length; i++) {
        const first = i === 0 ? from : 0;
        const last = i + 2 === chain.length ? to : 0;
        chain[i].down.push([chain[i + 1], last - first]);
        chain[i + 1].up.push([chain[i], first - last]);
      }
      return { a, b, from, to, cut, chain, values };
    });
  }

  place() {
    for (const row of this.rows) {
      let x = 0;
      for (const each of row) { each.x = x + each.w / 2; x += each.w + GAP; }
      for (const each of row) each.x -= x / 2;
    }
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const down = sweep % 2 === 0;
      const order = down ? this.rows : [...this.rows].reverse();
      for (const row of order) settle(row, down ? "up" : "down");
    }
    this.strips = this.breaks().map((first, i, all) => ({ rows: this.rows.slice(first, all[i + 1]), crossing: first ? this.crossing(first) : 0, used: 0 }));
    const margin = TRACK * Math.max(...this.strips.map((each) => each.crossing)) + 12;
    let x = 0;
    for (const strip of this.strips) {
      this.stack(strip, this.strips.length > 1 ? margin : 0);
      const left = Math.min(...strip.rows.flat().map((each) => each.x - each.w / 2));
      const right = Math.max(...strip.rows.flat().map((each) => each.x + each.w / 2));
      const dx = this.strips.length > 1 ? x + TRACK * strip.crossing + GAP - left : 0;
      for (const each of strip.rows.flat()) each.x += dx;
      strip.left = left + dx;
      x = right + dx + GAP;
    }
    this.below = Math.max(...this.strips.map((each) => each.bottom)) + (this.strips.length > 1 ? margin : 0);
  }

  // The rows of a strip from above.
  stack(strip, top) {
    let y = top;
    for (const row of strip.rows) {
      const height = heightOf(row);
      for (const each of row) {
        each.y = each.id < 0 ? y : y + (height - each.h) / 2;
        each.band = [y, y + height];
        each.strip = strip;
      }
      y += height + ROW;
    }
    strip.bottom = y - ROW;
  }

  // The first rows of strips: a box that is tall and narrow has several, like columns of a page.
  // It is broken where few edges cross.
  breaks() {
    let total = 0;
    const ends = this.rows.map((row) => (total += heightOf(row) + ROW));
    if (total < TALL) return [0];
    const all = this.rows.flat();
    const width = Math.max(...all.map((each) => each.x + each.w / 2)) - Math.min(...all.map((each) => each.x - each.w / 2));
    const count = Math.min(STRIPS, Math.round(Math.sqrt((total * ASPECT) / (width + 2 * GAP))));
    const found = [0];
    for (let strip = 1; strip < count; strip++) {
      const wish = (total * strip) / count;
      const near = [...ends.keys()].filter((i) => i > found[found.length - 1] && Math.abs(ends[i - 1] - wish) < (0.25 * total) / count);
      const cost = (i) => 40 * this.crossing(i) + Math.abs(ends[i - 1] - wish);
      const best = near.sort((a, b) => cost(a) - cost(b))[0];
      if (best === undefined || this.crossing(best) > CROSSING) return [0];
      found.push(best);
    }
    return found;
  }

  // How many edges lead from the row before a row to it.
  crossing(row) { return this.rows[row].reduce((sum, each) => sum + each.up.length, 0); }

  // Functions stand beside one another: the first one on the left, the others in columns.
  columns() {
    const all = this.rows.flat();
    const tallest = Math.max(all[0]?.h || 0, 900);
    let x = 0;
    let y = 0;
    let width = 0;
    all.forEach((each, i) => {
      if (i === 1 || (i > 1 && y + each.h > tallest)) { x += width + FAR_APART; y = 0; width = 0; }
      each.x = x + each.w / 2;
      each.y = y;
      y += each.h + FAR_APART;
      width = Math.max(width, each.w);
    });
  }

  framed(header, padding, least) {
    const all = this.rows.flat();
    const left = Math.min(...all.map((each) => each.x - each.w / 2), 0);
    const right = Math.max(...all.map((each) => each.x + each.w / 2), 0);
    const bottom = Math.max(...all.map((each) => each.y + each.h), this.below || 0);
    const w = Math.max(right - left + 2 * padding, least);
    const dx = (w - (right - left)) / 2 - left;
    const dy = header + (padding ? 14 : 0);
    const at = new Map();
    for (const each of all) if (each.id >= 0) at.set(each.id, { x: each.x - each.w / 2 + dx, y: each.y + dy, w: each.w, h: each.h });
    return { w, h: bottom + dy + (padding ? 14 : 0), at, edges: this.chains.map((each) => this.drawn(each, dx, dy)) };
  }

  // An edge as points: straight down beside the boxes of a row, across between rows, and from the
  // end of a strip around it to the next one.
  drawn({ a, b, from, to, cut, chain, values }, dx, dy) {
    const points = [a.x + from, a.y + a.h];
    if (!cut) chain.forEach((each, i) => {
      const x = each.x + (i === 0 ? from : i + 1 === chain.length ? to : 0);
      if (i && each.strip !== chain[i - 1].strip) this.around(points, chain[i - 1].strip, each.strip, x);
      if (i) points.push(x, each.band[0] - 4);
      if (i + 1 < chain.length && each.band) points.push(x, each.band[1] + 4);
    });
    points.push(b.x + to, b.y);
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 2) {
      points[i] += dx;
      points[i + 1] += dy;
      left = Math.min(left, points[i]);
      right = Math.max(right, points[i]);
      top = Math.min(top, points[i + 1]);
      bottom = Math.max(bottom, points[i + 1]);
    }
    return { source: a.id, target: b.id, values, cut, points, left, right, top, bottom };
  }

  // Below a strip, up between it and the next one, above that to a place in it.
  around(points, before, after, x) {
    const track = TRACK * ++after.used;
    const y = before.bottom + 4 + track;
    const between = after.left - GAP / 2 - track;
    points.push(points[points.length - 2], y, between, y, between, track, x, track);
  }
}

function heightOf(row) { return Math.max(...row.map((each) => each.h), 4); }

function entry(layouts, id, level) {
  const size = id >= 0 ? layouts.size(id) : { w: 2, h: 0 };
  return { id, level, w: size.w, h: size.h, x: 0, y: 0, band: null, strip: null, up: [], down: [] };
}

// What lies on the way counts for more than where something begins or ends.
function isBetween(entry) { return entry.up.length > 0 && entry.down.length > 0; }

// Moves a row as close as it gets to its neighbors in the row above or below, in its order and
// without overlaps: isotonic regression by pooling adjacent violators.
function settle(row, direction) {
  const pools = []; // [sum of weights, weighted sum of wishes, first entry]
  let shift = 0;
  const shifts = [];
  row.forEach((each, i) => {
    if (i) {
      const before = row[i - 1];
      shift += (before.w + each.w) / 2 + (before.id < 0 && each.id < 0 ? LANE : before.id < 0 || each.id < 0 ? LANE + 2 : GAP);
    }
    shifts.push(shift);
    const near = each[direction];
    let wish = each.x;
    let weight = 0.2;
    if (near.length) {
      let total = 0;
      wish = 0;
      for (const [other, offset] of near) {
        const pull = isBetween(other) ? 1 : 0.1;
        wish += pull * (other.x + offset);
        total += pull;
      }
      wish /= total;
      weight = each.id < 0 ? 3 : isBetween(each) ? 8 : 0.5;
    }
    let pool = [weight, weight * (wish - shift), i];
    while (pools.length && pools[pools.length - 1][1] / pools[pools.length - 1][0] >= pool[1] / pool[0]) {
      const last = pools.pop();
      pool = [last[0] + pool[0], last[1] + pool[1], last[2]];
    }
    pools.push(pool);
  });
  pools.forEach(([weight, sum, first], p) => {
    const end = p + 1 < pools.length ? pools[p + 1][2] : row.length;
    for (let i = first; i < end; i++) row[i].x = sum / weight + shifts[i];
  });
}
