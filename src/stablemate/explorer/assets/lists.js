// Lists of any length in the page: only the rows in view exist. Texts are set as texts.

export function get(id) { return document.getElementById(id); }

export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export class List {
  // fill(row, index) puts what it shows into an empty element.
  constructor(element, height, fill) {
    this.element = element;
    this.height = height;
    this.fill = fill;
    this.count = 0;
    this.inner = make("div", "rows");
    this.inner.setAttribute("role", "presentation");
    element.append(this.inner);
    element.addEventListener("scroll", () => this.show(), { passive: true });
    new ResizeObserver(() => this.show()).observe(element);
  }

  reset(count) {
    this.count = count;
    this.inner.style.height = `${count * this.height}px`;
    this.show();
  }

  show() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 4);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.height) + 4);
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = make("div", "row");
      row.style.top = `${i * this.height}px`;
      row.style.height = `${this.height}px`;
      row.dataset.index = i;
      this.fill(row, i);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }

  reveal(index) {
    const { scrollTop, clientHeight } = this.element;
    const top = index * this.height;
    if (top < scrollTop + this.height || top + 2 * this.height > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.show();
  }

  // The index of the row at which an event of the mouse is; -1 beside all rows. The position says so
  // and not the target: a list that is shown again between press and release has other elements.
  indexOf(event) {
    const index = Math.floor((event.clientY - this.inner.getBoundingClientRect().top) / this.height);
    return index >= 0 && index < this.count ? index : -1;
  }
}

// ---- the text of the program

const TOKENS = /(?<comment>\/\/.*$|\/\*.*?\*\/)|(?<string>"(?:[^"\\]|\\.)*")|(?<value>[%#^!][\w$.#-]+)|(?<symbol>@[\w$.-]+|@"[^"]*")|(?<type>\b(?:tensor|tuple|vector|memref|token)\b|\b(?:[sui]+\d+|bf16|f\d+\w*|pred|index)\b(?:\[[\d,<=?]*\])?(?:\{[^}]*\})?)|(?<number>\b-?\d[\w.+-]*)|(?<name>\b[a-z_]+\.[\w.]+)|(?<word>[A-Za-z_][\w-]*)/g;

export function highlighted(row, text) {
  let at = 0;
  for (const found of text.matchAll(TOKENS)) {
    if (found.index > at) row.append(text.slice(at, found.index));
    const kind = Object.keys(found.groups).find((each) => found.groups[each] !== undefined);
    if (kind === "word") row.append(found[0]);
    else row.append(make("span", `t-${kind}`, found[0]));
    at = found.index + found[0].length;
  }
  row.append(text.slice(at));
}
