// The page of a dump: a list of modules, the tables of one of them, and its programs as graphs.

const data = JSON.parse(document.getElementById("program").textContent);

const byId = (id) => document.getElementById(id);

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function tableOf(table) {
  const made = element("table");
  const head = made.createTHead().insertRow();
  table.columns.forEach((column, i) => head.append(element("th", column, table.words[i] ? "words" : "")));
  const body = made.createTBody();
  for (const cells of table.rows) {
    const row = body.insertRow();
    cells.forEach((cell, i) => {
      const made = element("td", cell, table.words[i] ? "words" : "");
      made.title = cell;
      row.append(made);
    });
  }
  return made;
}

function show(number) {
  const module = data.modules[number];
  const place = byId("module");
  place.replaceChildren(element("h2", module.title));
  const programs = element("div", "", "programs");
  for (const program of module.programs) {
    const button = element("button", program.name);
    button.onclick = () => open(module.title, program);
    programs.append(button);
  }
  place.append(programs);
  for (const table of module.tables) {
    if (table.title) place.append(element("h3", table.title));
    if (table.rows.length) place.append(tableOf(table));
    for (const note of table.notes) place.append(element("p", note));
  }
  place.scrollTop = 0;
  byId("modules").childNodes.forEach((item, i) => item.setAttribute("aria-current", String(i === number)));
}

function open(title, program) {
  const frame = element("iframe");
  frame.title = program.name;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = data.shell.replace(data.placeholder, () => program.data);
  byId("graph-title").textContent = `${title}: ${program.name}`;
  byId("graph").append(frame);
  byId("graph").hidden = false;
}

function close() {
  byId("graph").hidden = true;
  for (const frame of byId("graph").querySelectorAll("iframe")) frame.remove();
}

byId("title").textContent = data.title;
byId("summary").textContent = data.summary;
data.modules.forEach((module, number) => {
  const button = element("button");
  button.append(element("span", module.title, "name"), element("span", module.facts, "facts"));
  const bar = element("progress");
  bar.max = 1;
  bar.value = module.share;
  button.append(bar);
  button.onclick = () => show(number);
  byId("modules").append(button);
});
byId("close").onclick = close;
document.addEventListener("keydown", (event) => event.key === "Escape" && close());
if (data.modules.length) show(0);
