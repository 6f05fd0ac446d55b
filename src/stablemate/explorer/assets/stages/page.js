// The stages of the compiler side by side. A line is [text, kernels, operations, statements]: lines
// of one kernel are related, lines of one operation or of one statement of a loop are the same.
const { title, kernels, stages } = JSON.parse(document.getElementById("program").textContent);
const root = document.documentElement;
const lines = []; // {element, pane, kernels, operations, statements}
let pinned = null;

function make(name, parent, properties = {}) {
  return Object.assign(parent.appendChild(document.createElement(name)), properties);
}

// Neighboring kernels differ most in hue.
const color = (kernel) => `hsl(${(kernel * 137.5) % 360} 65% 55%)`;

function build() {
  document.getElementById("title").textContent = `${title}`;
  document.title = `${title} · stages · stablemate`;
  document.getElementById("summary").textContent = `${kernels.length} ${kernels.length === 1 ? "kernel" : "kernels"}`;
  kernels.forEach((name, kernel) => {
    const button = make("button", document.getElementById("kernels"), { textContent: name });
    button.style.setProperty("--kernel", color(kernel));
    button.addEventListener("click", () => pin({ kernels: [kernel], operations: [], statements: [], pane: null }));
  });
  for (const stage of stages) buildPane(stage);
}

function buildPane(stage) {
  const pane = make("section", document.getElementById("panes"), { className: "pane", id: `stage-${stage.name}` });
  make("h2", pane, { textContent: stage.title });
  const list = make("div", pane, { className: "lines", tabIndex: 0 });
  list.setAttribute("aria-label", stage.title);
  for (const [text, ofKernels, operations, statements] of stage.lines) {
    const element = make("span", list, { className: "line", textContent: text || " " });
    const line = { element, pane, kernels: ofKernels, operations, statements };
    element.line = line;
    lines.push(line);
    if (ofKernels.length) {
      element.classList.add("of-kernel");
      element.style.setProperty("--kernel", color(ofKernels[0]));
      element.title = ofKernels.map((kernel) => kernels[kernel]).join(", ");
    }
  }
  if (stage.hidden) make("span", list, { className: "line", textContent: `… ${stage.hidden.toLocaleString("en")} more lines` });
  list.addEventListener("mouseover", (event) => pinned || mark(event.target.line));
  list.addEventListener("mouseleave", () => pinned || mark(null));
  list.addEventListener("click", (event) => event.target.line && pin(event.target.line));
  const toggle = make("button", document.getElementById("shown"), { textContent: stage.title });
  toggle.setAttribute("aria-pressed", "true");
  toggle.addEventListener("click", () => {
    pane.hidden = !pane.hidden;
    toggle.setAttribute("aria-pressed", String(!pane.hidden));
  });
}

const meet = (some, others) => some.some((number) => others.includes(number));

// Marks what belongs to a line; returns the lines to scroll to, by pane.
function mark(chosen) {
  const targets = new Map();
  for (const line of lines) {
    const same = Boolean(chosen) && (line === chosen || meet(line.operations, chosen.operations) || meet(line.statements, chosen.statements));
    const related = Boolean(chosen) && meet(line.kernels, chosen.kernels);
    line.element.classList.toggle("same", same);
    line.element.classList.toggle("related", related && !same);
    const rank = same ? 2 : related ? 1 : 0;
    const best = targets.get(line.pane);
    if (rank && (!best || rank > best.rank)) targets.set(line.pane, { rank, line });
  }
  return targets;
}

function pin(chosen) {
  pinned = pinned === chosen ? null : chosen;
  for (const [pane, { line }] of mark(pinned)) {
    const list = line.element.parentElement;
    if (pane !== chosen.pane) list.scrollTop = line.element.offsetTop - list.offsetTop - list.clientHeight / 4;
  }
}

function setTheme(theme) {
  root.dataset.theme = theme;
}

const toggleTheme = () => setTheme(root.dataset.theme === "dark" ? "light" : "dark");

build();
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.getElementById("toggle-theme").addEventListener("click", toggleTheme);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { pinned = null; mark(null); }
  if (event.key === "t" && !event.ctrlKey && !event.metaKey) toggleTheme();
});
window.stablemateStages = { lines, kernels };
