// The order of search results: operations before commands, these before pages and methods.
// A search for a name begins with what has that name.

var Scorer = {
  score: ([page, title, , , score]) => {
    const query = (new URLSearchParams(location.search).get("q") || "").trim().toLowerCase();
    const whole = title.toLowerCase().split(" > ")[0];
    const named = whole === query || whole.split(".").pop() === query;
    if (page.startsWith("reference/operations/stablehlo/")) return score + (named ? 200 : 10);
    if (page.startsWith("reference/operations/")) return score + (named ? 190 : 5);
    if (page.startsWith("reference/commands/")) return score + (named ? 180 : 0);
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// Pages that are opened as files cannot fetch one another; their results come without excerpts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
