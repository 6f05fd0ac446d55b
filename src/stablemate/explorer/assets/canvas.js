// Draws the part of the graph that is in view, and says what stands at a point.

import { heatOf, inkOn } from "./colors.js";
import { HEADER, shortType, subtitle } from "./layout.js";
import { GROUPS, PORTS } from "./model.js";

export const FONTS = {
  title: "600 12.5px ui-sans-serif, system-ui, sans-serif",
  group: "600 13px ui-sans-serif, system-ui, sans-serif",
  detail: "11px ui-monospace, SFMono-Regular, Menlo, monospace",
  small: "10px ui-monospace, SFMono-Regular, Menlo, monospace",
};
const READABLE = 0.42; // scale below which boxes have no text
const SMALLEST = 0.02; // scale, where the whole of a program fits with that
const LARGEST = 3;

export class Canvas {
  constructor(element, model, layouts, state) {
    this.element = element;
    this.context = element.getContext("2d");
    this.model = model;
    this.layouts = layouts;
    this.state = state; // {selected, hovered, matches, cone, overlay, theme}
    this.camera = { x: 0, y: 0, scale: 1 }; // the point of the graph at the corner of the view
    this.colors = {};
    this.cut = new Map();
  }

  resize() {
    const box = this.element.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    this.element.width = Math.max(1, Math.round(box.width * ratio));
    this.element.height = Math.max(1, Math.round(box.height * ratio));
    this.ratio = ratio;
  }

  takeColors() {
    const style = getComputedStyle(document.documentElement);
    const names = ["canvas", "card", "ink", "muted", "line", "edge", "accent", "group", "group2", "match", "contraction", "movement", "reduction", "control", "external", "elementwise", "constant", "argument"];
    for (const name of names) this.colors[name] = style.getPropertyValue(`--${name}`).trim();
  }

  // ---- camera

  whole() { return this.layouts.of(0); }

  // Shows a rectangle of the graph; not larger than it is drawn at most.
  fit(rect, most = 1.15, margin = 36) {
    const scale = Math.min(most, (this.width - 2 * margin) / rect.w, (this.height - 2 * margin) / rect.h);
    this.camera = { scale, x: rect.x + rect.w / 2 - this.width / 2 / scale, y: rect.y + rect.h / 2 - this.height / 2 / scale };
  }

  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const { camera } = this;
    const scale = Math.max(Math.min(SMALLEST, camera.scale), Math.min(LARGEST, camera.scale * factor));
    camera.x += px / camera.scale - px / scale;
    camera.y += py / camera.scale - py / scale;
    camera.scale = scale;
  }

  // Where a box is in the graph; null while a box around it is folded.
  rect(id) {
    let [x, y, size] = [0, 0, null];
    for (let each = id; each > 0; each = this.model.parent(each)) {
      const parent = this.model.parent(each);
      if (!this.layouts.isOpen(parent)) return null;
      const at = this.layouts.of(parent).at.get(each);
      size ||= at;
      x += at.x;
      y += at.y;
    }
    return size ? { x, y, w: size.w, h: size.h } : { x: 0, y: 0, ...this.layouts.size(0) };
  }

  // The innermost box that is drawn for a box.
  shown(id) {
    const around = this.model.ancestors(id).reverse();
    const folded = around.find((each) => !this.layouts.isOpen(each));
    return folded === undefined ? id : folded;
  }

  at(px, py) {
    const { camera, layouts } = this;
    let [x, y, found] = [camera.x + px / camera.scale, camera.y + py / camera.scale, 0];
    for (;;) {
      const inner = layouts.of(found);
      let next = -1;
      for (const [id, box] of inner.at) {
        if (x >= box.x && y >= box.y && x < box.x + box.w && y < box.y + box.h) { next = id; break; }
      }
      if (next < 0) return found;
      if (!layouts.isOpen(next)) return next;
      x -= inner.at.get(next).x;
      y -= inner.at.get(next).y;
      found = next;
    }
  }

  // ---- drawing

  draw() {
    const { context: c, camera, ratio } = this;
    const began = performance.now();
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = this.colors.canvas;
    c.fillRect(0, 0, this.width, this.height);
    c.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, -camera.x * camera.scale * ratio, -camera.y * camera.scale * ratio);
    this.view = { left: camera.x, top: camera.y, right: camera.x + this.width / camera.scale, bottom: camera.y + this.height / camera.scale };
    this.family = c.font;
    this.lit = [];
    this.inner(0, 0, 0, 0);
    for (const [edge, x, y] of this.lit) this.edge(edge, x, y, true);
    this.took = performance.now() - began;
  }

  outside(x, y, w, h) {
    const { view } = this;
    return x > view.right || y > view.bottom || x + w < view.left || y + h < view.top;
  }

  inner(id, x, y, depth) {
    const layout = this.layouts.of(id);
    for (const edge of layout.edges) {
      if (this.outside(x + edge.left - 40, y + edge.top - 30, edge.right - edge.left + 80, edge.bottom - edge.top + 60)) continue;
      if (this.touches(edge)) this.lit.push([edge, x, y]);
      else this.edge(edge, x, y, false);
    }
    for (const [child, box] of layout.at) {
      if (this.outside(x + box.x, y + box.y, box.w, box.h)) continue;
      this.box(child, x + box.x, y + box.y, box.w, box.h, depth);
    }
    if (this.camera.scale >= 0.6 && id !== 0) this.types(layout, x, y);
  }

  touches(edge) {
    const { selected, hovered } = this.state;
    return edge.source === selected || edge.target === selected || edge.source === hovered || edge.target === hovered;
  }

  dimmed(id) {
    const { cone } = this.state;
    return cone && !cone.has(id);
  }

  box(id, x, y, w, h, depth) {
    const kind = this.model.kind(id);
    const { context: c } = this;
    c.globalAlpha = this.dimmed(id) ? 0.22 : 1;
    if (PORTS.has(kind)) this.port(id, x, y, w);
    else if (this.layouts.isOpen(id)) {
      this.frame(id, x, y, w, h, depth);
      c.globalAlpha = 1;
      this.inner(id, x, y, depth + 1);
    } else if (kind === "argument" || kind === "constant") this.pill(id, kind, x, y, w, h);
    else this.card(id, kind, x, y, w, h);
    c.globalAlpha = 1;
  }

  port(id, x, y, w) {
    const { context: c } = this;
    if (this.camera.scale < 0.3) return;
    c.beginPath();
    c.arc(x + w / 2, y + w / 2, 3.5, 0, 7);
    c.fillStyle = this.colors.card;
    c.fill();
    c.lineWidth = 1.4;
    c.strokeStyle = this.state.selected === id || this.state.hovered === id ? this.colors.accent : this.colors.edge;
    c.stroke();
  }

  shape(x, y, w, h, radius) {
    this.context.beginPath();
    this.context.roundRect(x, y, w, h, radius);
  }

  outline(id, x, y, w, h, radius, color) {
    const { context: c, state, camera } = this;
    const chosen = state.selected === id;
    const thin = 1 / Math.min(1, Math.max(camera.scale, 0.25));
    this.shape(x, y, w, h, radius);
    c.strokeStyle = chosen || state.hovered === id ? this.colors.accent : color;
    c.lineWidth = chosen ? 2.5 * thin : state.hovered === id ? 1.6 * thin : thin;
    c.stroke();
    if (this.isMatch(id)) {
      this.shape(x - 3, y - 3, w + 6, h + 6, radius + 3);
      c.strokeStyle = this.colors.match;
      c.lineWidth = 2.2 * thin;
      c.stroke();
    }
  }

  // What was found, and folded boxes that hold it.
  isMatch(id) {
    const direct = this.state.matches?.get(id);
    return direct || (direct === false && !this.layouts.isOpen(id));
  }

  frame(id, x, y, w, h, depth) {
    const { context: c, camera } = this;
    this.shape(x, y, w, h, 10);
    c.fillStyle = depth % 2 ? this.colors.group2 : this.colors.group;
    c.fill();
    this.outline(id, x, y, w, h, 10, this.colors.line);
    const hot = this.heat(id);
    if (hot) {
      c.fillStyle = hot;
      this.shape(x + 8, y + 8, 14, 14, 4);
      c.fill();
    }
    const size = Math.min(13 / Math.min(1, camera.scale), h / 4, 120);
    if (size * camera.scale < 6 || w * camera.scale < 30) return;
    const text = this.fitted(this.model.shortLabel(id), "group", (w - 70) * 13 / size);
    c.font = size === 13 ? FONTS.group : FONTS.group.replace("13px", `${size}px`);
    c.fillStyle = this.colors.ink;
    c.textBaseline = "middle";
    c.textAlign = "left";
    const left = x + (hot ? 28 : 12);
    const top = Math.max(y + HEADER / 2 + 1, size === 13 ? 0 : y + size * 0.75);
    c.fillText(text, left, top);
    if (size === 13) {
      this.sign(x + w - 17, y + HEADER / 2, false);
      const width = c.measureText(text).width;
      c.font = FONTS.detail;
      c.fillStyle = this.colors.muted;
      const more = [this.state.overlay?.textOf(id), subtitle(this.model, id)].filter(Boolean).join(" · ");
      if (left + width + 12 + this.width_(more, "detail") < x + w - 26) c.fillText(more, left + width + 10, y + HEADER / 2 + 1);
    }
  }

  // A plus or a minus: this can be unfolded, or folded.
  sign(x, y, plus) {
    const { context: c } = this;
    c.strokeStyle = this.colors.muted;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x - 4, y);
    c.lineTo(x + 4, y);
    if (plus) { c.moveTo(x, y - 4); c.lineTo(x, y + 4); }
    c.stroke();
  }

  heat(id) {
    return this.state.overlay ? heatOf(this.state.overlay, id, this.state.theme) : null;
  }

  card(id, kind, x, y, w, h) {
    const { context: c, model, camera } = this;
    const group = GROUPS.has(kind);
    const name = model.shortLabel(id);
    const family = kind === "return" ? "argument" : group ? "control" : model.family(model.label(id));
    const hot = this.heat(id);
    const fill = hot || (group ? this.colors.group2 : this.colors.card);
    const ink = hot ? inkOn(hot) : this.colors.ink;
    if (camera.scale < 0.16) {
      c.fillStyle = hot || this.colors[family];
      c.globalAlpha *= hot ? 1 : 0.75;
      c.fillRect(x, y, w, h);
      if (this.state.selected === id || this.isMatch(id)) this.outline(id, x, y, w, h, 0, "transparent");
      return;
    }
    if (group) { // folded sheets
      this.shape(x + 4, y + 4, w, h, 8);
      c.fillStyle = this.colors.group;
      c.fill();
      c.strokeStyle = this.colors.line;
      c.lineWidth = 1;
      c.stroke();
    }
    this.shape(x, y, w, h, 7);
    c.fillStyle = fill;
    c.fill();
    if (!group) {
      c.save();
      c.clip();
      c.fillStyle = this.colors[family];
      c.fillRect(x, y, 5, h);
      c.restore();
    }
    this.outline(id, x, y, w, h, 7, this.colors.line);
    if (camera.scale < READABLE && !group) return;
    const room = w - 22 - (model.isOpenable(id) ? 22 : 0);
    const detail = this.state.overlay && this.state.overlay.has(id) ? this.state.overlay.textOf(id) : subtitle(model, id);
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillStyle = ink;
    c.font = group ? FONTS.group : FONTS.title;
    const both = detail && h > 30;
    c.fillText(this.fitted(name, group ? "group" : "title", room), x + 14, y + (both ? h / 2 - 8 : h / 2 + 0.5));
    if (both) {
      c.font = FONTS.detail;
      c.fillStyle = hot ? ink : this.colors.muted;
      c.fillText(this.fitted(detail, "detail", room), x + 14, y + h / 2 + 9);
    }
    if (model.isOpenable(id)) this.sign(x + w - 16, y + h / 2, true);
  }

  pill(id, kind, x, y, w, h) {
    const { context: c, model, camera } = this;
    const hot = this.heat(id);
    this.shape(x, y, w, h, h / 2);
    c.fillStyle = hot || this.colors[kind];
    c.fill();
    this.outline(id, x, y, w, h, h / 2, "transparent");
    if (camera.scale < READABLE) return;
    c.font = FONTS.detail;
    c.fillStyle = hot ? inkOn(hot) : this.colors.ink;
    c.textAlign = "center";
    c.textBaseline = "middle";
    const text = kind === "constant" ? subtitle(model, id) : model.shortLabel(id);
    c.fillText(this.fitted(text, "detail", w - 14), x + w / 2, y + h / 2 + 0.5);
  }

  edge(edge, x, y, lit) {
    const { context: c, camera } = this;
    const p = edge.points;
    const last = p.length - 2;
    c.globalAlpha = this.state.cone && !(this.state.cone.has(edge.source) && this.state.cone.has(edge.target)) ? 0.15 : 1;
    c.strokeStyle = lit ? this.colors.accent : this.colors.edge;
    c.lineWidth = (lit ? 2 : 1.1) / Math.min(1, Math.max(camera.scale, 0.2));
    c.beginPath();
    if (edge.cut && !lit) {
      if (camera.scale < 0.3) { c.globalAlpha = 1; return; }
      c.setLineDash([2, 3]);
      c.moveTo(x + p[0], y + p[1]);
      c.lineTo(x + p[0], y + p[1] + 14);
      c.moveTo(x + p[last], y + p[last + 1] - 14);
      c.lineTo(x + p[last], y + p[last + 1]);
      c.stroke();
      c.setLineDash([]);
    } else {
      c.moveTo(x + p[0], y + p[1]);
      for (let i = 2; i <= last; i += 2) {
        const [ax, ay, bx, by] = [x + p[i - 2], y + p[i - 1], x + p[i], y + p[i + 1]];
        if (ax === bx || camera.scale < 0.12) c.lineTo(bx, by);
        else {
          const bend = Math.min((by - ay) / 2, 60);
          c.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
        }
      }
      c.stroke();
    }
    if (camera.scale >= 0.3) {
      c.fillStyle = lit ? this.colors.accent : this.colors.edge;
      c.beginPath();
      c.moveTo(x + p[last] - 3.5, y + p[last + 1] - 6);
      c.lineTo(x + p[last] + 3.5, y + p[last + 1] - 6);
      c.lineTo(x + p[last], y + p[last + 1]);
      c.fill();
    }
    c.globalAlpha = 1;
  }

  // The type of what flows, once where edges begin; where an edge is cut, what arrives.
  types(layout, x, y) {
    const { context: c } = this;
    const begins = new Map();
    c.font = FONTS.small;
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (const edge of layout.edges) {
      const p = edge.points;
      const last = p.length - 2;
      if (edge.cut && !this.outside(x + p[last], y + p[last + 1] - 20, 60, 20) && !begins.has(`to ${p[last]} ${p[last + 1]}`)) {
        begins.set(`to ${p[last]} ${p[last + 1]}`, null);
        this.tag(this.model.valueName(edge.values[0]), x + p[last] + 4, y + p[last + 1] - 11);
      }
      if (PORTS.has(this.model.kind(edge.target)) && !PORTS.has(this.model.kind(edge.source))) continue;
      if (this.outside(x + p[0], y + p[1], 120, 30)) continue;
      const key = `${p[0]} ${p[1]}`;
      const values = begins.get(key)?.values || new Set();
      for (const each of edge.values) values.add(each);
      begins.set(key, { values, at: [x + p[0] + 4, y + p[1] + 9] });
    }
    const tags = [...begins.values()].filter(Boolean).sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]);
    let [row, end] = [NaN, 0];
    for (const { values, at } of tags) {
      if (at[1] === row && at[0] < end) continue; // there is no room for both
      const [first] = values;
      const text = shortType(this.model.valueType(first)) + (values.size > 1 ? ` +${values.size - 1}` : "");
      const width = this.width_(text, "small");
      const over = at[0] + width > x + layout.w - 4; // there is more room on the left of the edge
      this.tag(text, over ? at[0] - width - 8 : at[0], at[1]);
      [row, end] = [at[1], at[0] + width + 4];
      c.font = FONTS.small;
    }
  }

  tag(text, x, y) {
    const { context: c } = this;
    c.fillStyle = this.colors.muted;
    c.fillText(text, x, y);
  }

  // ---- texts

  width_(text, style) {
    const key = `${style}\u0000${text}`;
    let width = this.cut.get(key);
    if (width === undefined) {
      this.context.font = FONTS[style];
      width = this.context.measureText(text).width;
      this.cut.set(key, width);
    }
    return width;
  }

  // The text as far as there is room for it.
  fitted(text, style, room) {
    const font = this.context.font;
    let found = text;
    if (this.width_(text, style) > room) {
      const letters = Math.max(1, Math.floor((text.length * room) / this.width_(text, style)) - 1);
      found = `${text.slice(0, letters)}…`;
    }
    this.context.font = font;
    return found;
  }
}
